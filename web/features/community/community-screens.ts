/** Community screens in one chunk, named in the first page. */
export { DeletionReceiptScreen } from '../deletion/deletion-receipt-screen.tsx'
export { HouseRulesScreen } from './house-rules-screen.tsx'
export { JoinScreen } from './join-screen.tsx'
export { SetupScreen } from './setup-screen.tsx'
