import { useNavigate, useParams } from 'react-router'
import { callApiOperation } from '#web/api/client.ts'
import { lazyScreen } from '#web/navigation/lazy-screen.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AuthFormError, AuthFormIntro } from './auth-form.tsx'
import { EmailLinkExpired } from './email-link-expired.tsx'
import { type EmailLinkParameters, useEmailLinkAction, useEmailLinkProof } from './email-link-parts.tsx'
import { EmailLinkRequestForm } from './email-link-request-form.tsx'
import { finishSignIn } from './session.ts'

const SecondStepScreen = lazyScreen(() => import('./second-step-screen.tsx'), 'SecondStepScreen')

/**
 * Asks for a link to sign in with, and signs in by it: a link only shows a button, because mail scanners open links too. At
 * `/sign-in/step` asks for the second step: an address of its own would cost the first page more than is left.
 */
export function SignInLinkScreen() {
  const proof = useEmailLinkProof()
  const { way } = useParams()
  if (way === 'step') return <SecondStepScreen />
  if (proof) return <SignInByLink proof={proof} />
  return (
    <EmailLinkRequestForm
      title="Entra con un enlace"
      lead="Escribe tu correo. Te llega un enlace con el que entras sin contraseña; vale una hora."
      operation="requestSignInLinkOperation"
    />
  )
}

function SignInByLink({ proof }: { proof: EmailLinkParameters }) {
  const { busy, run, isOver, failure } = useEmailLinkAction()
  const navigate = useNavigate()
  if (isOver) return <EmailLinkExpired to={screenPaths.signInLink('link')} />

  const signIn = () =>
    run(async () => {
      const { signInByLinkOperation } = await import('#contract/email-links.ts')
      await callApiOperation(signInByLinkOperation, proof)
      await finishSignIn()
      await navigate(screenPaths.home(), { replace: true })
    })

  return (
    <>
      <PageTitle title="Entra en Juntas" display />
      <AuthFormIntro>Pulsa el botón y ya estás dentro.</AuthFormIntro>
      <div className="flex flex-col gap-4.5">
        <AuthFormError text={failure} />
        <Button size="lg" block busy={busy} busyLabel="Entrando..." onClick={signIn}>
          Entrar
        </Button>
      </div>
    </>
  )
}
