import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { es } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AuthFormError, AuthFormIntro } from './auth-form-parts.tsx'
import { EmailLinkExpired } from './email-link-expired.tsx'
import { EmailLinkStatus, useEmailLinkAction, useEmailLinkParameters } from './email-link-parts.tsx'

/** Cancels the removal of two-factor authentication that the operator scheduled. */
export function KeepTwoFactorScreen() {
  const linkParameters = useEmailLinkParameters()
  const { busy, run, isOver, failure } = useEmailLinkAction()
  const [kept, setKept] = useState(false)
  const community = useCommunityName()
  if (kept)
    return (
      <EmailLinkStatus
        icon={ShieldCheck}
        color="success"
        title={es('La verificación en dos pasos sigue activada', 'Two-step verification stays on')}
        lead={es(
          'Entras como hasta ahora. Si alguien más lee tu correo, cambia también la contraseña.',
          'You sign in as before. If someone else can read your email, change your password too.',
        )}
      >
        <ButtonLink to={screenPaths.home()} replace size="lg" block>
          {es(`Ir a ${community}`, `Go to ${community}`)}
        </ButtonLink>
      </EmailLinkStatus>
    )
  if (!linkParameters || isOver) return <EmailLinkExpired />

  const keep = () =>
    run(async () => {
      const { keepTwoFactorOperation } = await import('#contract/account/email-links.ts')
      await callApiOperation(keepTwoFactorOperation, { secret: linkParameters.secret })
      setKept(true)
    })

  return (
    <>
      <PageTitle title={es('Mantener la verificación en dos pasos', 'Keep two-step verification')} display />
      <AuthFormIntro>
        {es(
          'Alguien pidió a la operadora que desactive la verificación en dos pasos de tu cuenta. Si no fuiste tú, páralo aquí.',
          'Someone asked the operator to turn off two-step verification for your account. If it was not you, stop it here.',
        )}
      </AuthFormIntro>
      <div className="flex flex-col gap-4.5">
        <AuthFormError text={failure} />
        <Button size="lg" block busy={busy} busyLabel={es('Parando...', 'Stopping...')} onClick={keep}>
          {es('Mantenerla', 'Keep it on')}
        </Button>
      </div>
    </>
  )
}
