/** Bundles the screens in one chunk, which the first page names. */
import { ConfirmApplicationScreen as ConfirmApplication } from '#web/features/community/confirm-application-screen.tsx'
import { NewPasswordScreen as NewPassword } from './new-password-screen.tsx'
import { RecoveryScreen as Recovery } from './recovery-screen.tsx'
import { SignInLinkScreen as SignInLink } from './sign-in-link-screen.tsx'
import { UndoEmailChangeScreen as UndoEmailChange } from './undo-email-change-screen.tsx'
import { UnsubscribeScreen as Unsubscribe } from './unsubscribe-screen.tsx'
import { VerifyEmailScreen as VerifyEmail } from './verify-email-screen.tsx'

export const ConfirmApplicationScreen = () => <ConfirmApplication />
export const NewPasswordScreen = () => <NewPassword />
export const RecoveryScreen = () => <Recovery />
export const SignInLinkScreen = () => <SignInLink />
export const UndoEmailChangeScreen = () => <UndoEmailChange />
export const UnsubscribeScreen = () => <Unsubscribe />
export const VerifyEmailScreen = () => <VerifyEmail />
