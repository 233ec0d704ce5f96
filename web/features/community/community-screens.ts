export { DeletionReceiptScreen } from '../deletion/deletion-receipt-screen.tsx'
export { HouseRulesScreen } from './house-rules-screen.tsx'
export { JoinScreen } from './join-screen.tsx'
export { SetupScreen } from './setup-screen.tsx'
