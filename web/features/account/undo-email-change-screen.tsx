import { useNavigate } from 'react-router'
import { es } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AuthFormError, AuthFormIntro } from './auth-form-parts.tsx'
import { EmailLinkExpired } from './email-link-expired.tsx'
import { useEmailLinkAction, useEmailLinkParameters } from './email-link-parts.tsx'

export function UndoEmailChangeScreen() {
  const linkParameters = useEmailLinkParameters()
  const { busy, run, error, isOver, failure } = useEmailLinkAction()
  const navigate = useNavigate()
  if (!linkParameters || isOver) return <EmailLinkExpired />
  const isTaken = error instanceof ApiError && error.type === 'user_already_exists'

  const undo = () =>
    run(async () => {
      const { undoEmailChangeOperation } = await import('#contract/account/email-links.ts')
      const recovery = await callApiOperation(undoEmailChangeOperation, linkParameters)
      await navigate(screenPaths.newPassword(), { replace: true, state: recovery })
    })

  return (
    <>
      <PageTitle title={es('Recupera tu cuenta', 'Get your account back')} display />
      <AuthFormIntro>
        {es(
          'Devolveremos este correo a tu cuenta y cerraremos todas sus sesiones. Después eliges una contraseña nueva.',
          'We’ll restore this email to your account and end all its sessions. Then you choose a new password.',
        )}
      </AuthFormIntro>
      <div className="flex flex-col gap-4.5">
        <AuthFormError
          text={
            isTaken
              ? es('Este correo es ahora de otra cuenta.', 'This email belongs to another account now.')
              : failure
          }
        />
        <Button
          size="lg"
          block
          busy={busy}
          busyLabel={es('Recuperando...', 'Getting it back...')}
          onClick={undo}
        >
          {es('Recuperar mi cuenta', 'Get my account back')}
        </Button>
      </div>
    </>
  )
}
