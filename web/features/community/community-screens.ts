/** The screens of the place itself, in one part: its name stands in the first page. */
export { DeletionReceiptScreen } from '../deletion/deletion-receipt-screen.tsx'
export { HouseRulesScreen } from './house-rules-screen.tsx'
export { JoinScreen } from './join-screen.tsx'
export { SetupScreen } from './setup-screen.tsx'
