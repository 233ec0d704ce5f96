import { useNavigate, useParams } from 'react-router'
import { es } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { lazyScreen } from '#web/navigation/lazy-screen.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AuthFormError, AuthFormIntro } from './auth-form-parts.tsx'
import { EmailLinkExpired } from './email-link-expired.tsx'
import { type EmailLinkParameters, useEmailLinkAction, useEmailLinkParameters } from './email-link-parts.tsx'
import { EmailLinkRequestForm } from './email-link-request-form.tsx'
import { finishSignIn } from './session.ts'

const SecondStepScreen = lazyScreen(() => import('./second-step-screen.tsx'), 'SecondStepScreen')
const KeepTwoFactorScreen = lazyScreen(() => import('./keep-two-factor-screen.tsx'), 'KeepTwoFactorScreen')
const DeletionPendingScreen = lazyScreen(
  () => import('../deletion/deletion-pending-screen.tsx'),
  'DeletionPendingScreen',
)
const KeepAccountScreen = lazyScreen(() => import('../deletion/keep-account-screen.tsx'), 'KeepAccountScreen')

/**
 * A link only shows a button, because mail scanners open links. The screen also serves the second factor and
 * pending deletion: separate routes would exceed the first page's size budget.
 */
export function SignInLinkScreen() {
  const linkParameters = useEmailLinkParameters()
  const { way } = useParams()
  if (way === 'step') return <SecondStepScreen />
  if (way === 'closing') return <DeletionPendingScreen />
  if (way === 'keep') return <KeepAccountScreen />
  if (way === 'keep-two-steps') return <KeepTwoFactorScreen />
  if (linkParameters) return <SignInByLink linkParameters={linkParameters} />
  return (
    <EmailLinkRequestForm
      title={es('Entra con un enlace', 'Sign in with a link')}
      lead={es(
        'Escribe tu correo. Te llega un enlace con el que entras sin contraseña; vale una hora.',
        'Enter your email. You get a link that signs you in without a password; it works for one hour.',
      )}
      operation="requestSignInLinkOperation"
    />
  )
}

function SignInByLink({ linkParameters }: { linkParameters: EmailLinkParameters }) {
  const { busy, run, isOver, failure } = useEmailLinkAction()
  const navigate = useNavigate()
  const community = useCommunityName()
  if (isOver) return <EmailLinkExpired to={screenPaths.signInLink('link')} />

  const signIn = () =>
    run(async () => {
      const { signInByLinkOperation } = await import('#contract/account/email-links.ts')
      await callApiOperation(signInByLinkOperation, linkParameters)
      await finishSignIn()
      await navigate(screenPaths.home(), { replace: true })
    })

  const title = es(`Entra en ${community}`, `Sign in to ${community}`)
  return (
    <>
      <PageTitle title={title} documentTitle={title} display />
      <AuthFormIntro>{es('Pulsa el botón para entrar.', 'Press the button to sign in.')}</AuthFormIntro>
      <div className="flex flex-col gap-4.5">
        <AuthFormError text={failure} />
        <Button size="lg" block busy={busy} busyLabel={es('Entrando...', 'Signing in...')} onClick={signIn}>
          {es('Entrar', 'Sign in')}
        </Button>
      </div>
    </>
  )
}
