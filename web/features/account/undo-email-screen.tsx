import { useNavigate } from 'react-router'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AuthFormError, AuthFormIntro } from './auth-form.tsx'
import { EmailLinkExpired } from './email-link-expired.tsx'
import { useEmailLinkAction, useEmailLinkProof } from './email-link-parts.tsx'

/** Gives an account its former e-mail address back by the letter that went there, and leads to choosing a password. */
export function UndoEmailScreen() {
  const proof = useEmailLinkProof()
  const { busy, run, error, isOver, failure } = useEmailLinkAction()
  const navigate = useNavigate()
  if (!proof || isOver) return <EmailLinkExpired />
  const isTaken = error instanceof ApiError && error.type === 'user_already_exists'

  const undo = () =>
    run(async () => {
      const { undoEmailChangeOperation } = await import('#contract/email-links.ts')
      const recovery = await callApiOperation(undoEmailChangeOperation, proof)
      await navigate(screenPaths.newPassword(), { replace: true, state: recovery })
    })

  return (
    <>
      <PageTitle title="Recupera tu cuenta · Juntas" heading="Recupera tu cuenta" display />
      <AuthFormIntro>
        Devolvemos este correo a tu cuenta, cerramos todas sus sesiones y eliges una contraseña nueva.
      </AuthFormIntro>
      <div className="flex flex-col gap-4.5">
        <AuthFormError text={isTaken ? 'Este correo es ahora de otra cuenta.' : failure} />
        <Button size="lg" block busy={busy} busyLabel="Recuperando..." onClick={undo}>
          Recuperar mi cuenta
        </Button>
      </div>
    </>
  )
}
