/** The screens that letters lead to and are asked for on. */
export { NewPasswordScreen } from './new-password-screen.tsx'
export { RecoveryScreen } from './recovery-screen.tsx'
export { SignInLinkScreen } from './sign-in-link-screen.tsx'
export { UndoEmailScreen } from './undo-email-screen.tsx'
export { VerifyEmailScreen } from './verify-email-screen.tsx'
