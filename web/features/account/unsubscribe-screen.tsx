import { MailX } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { unsubscribeFromSummariesEndpoint } from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { Button } from '#web/ui/button.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { AuthFormError, AuthFormIntro } from './auth-form-parts.tsx'
import { EmailLinkStatus, useEmailLinkAction } from './email-link-parts.tsx'

/** The member must press a button, because mail scanners open links. */
export function UnsubscribeScreen() {
  const { secret = '' } = useParams()
  const { busy, run, isOver, failure } = useEmailLinkAction()
  const [done, setDone] = useState(false)
  const community = useCommunityName()
  if (isOver) {
    return (
      <EmailLinkStatus
        icon={MailX}
        color="warning"
        title={es('Este enlace no vale.', 'This link is not valid.')}
        lead={es(
          'Abre el enlace de tu último resumen, o cámbialo en los ajustes de tu cuenta.',
          'Open the link in your latest summary, or change it in your account settings.',
        )}
      />
    )
  }
  if (done) {
    return (
      <EmailLinkStatus
        icon={MailX}
        color="success"
        title={es('Ya no te enviamos el resumen.', 'We no longer send you the summary.')}
        lead={es(
          'Puedes volver a activarlo en los ajustes de tu cuenta.',
          'You can turn it on again in your account settings.',
        )}
      />
    )
  }
  const end = () =>
    run(async () => {
      await callApiOperation(unsubscribeFromSummariesEndpoint, { secret })
      setDone(true)
    })
  return (
    <>
      <PageTitle title={es('El resumen por correo', 'Email summary')} display />
      <AuthFormIntro>
        {es(
          `Ya no te enviaremos por correo lo que te perdiste en ${community}. Lo demás sigue igual.`,
          `You’ll no longer get emails about what you missed on ${community}. Nothing else changes.`,
        )}
      </AuthFormIntro>
      <div className="flex flex-col gap-4.5">
        <AuthFormError text={failure} />
        <Button size="lg" block busy={busy} busyLabel={es('Un momento...', 'One moment...')} onClick={end}>
          {es('Darme de baja', 'Unsubscribe')}
        </Button>
      </div>
    </>
  )
}
