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
          'Abre el de tu último resumen, o cambia el resumen en los ajustes de tu cuenta.',
          'Open the one of your last summary, or change the summary in your account’s settings.',
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
          'Si lo quieres otra vez, está en los ajustes de tu cuenta.',
          'If you want it again, it is in your account’s settings.',
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
      <PageTitle title={es('El resumen por correo', 'The summary by email')} display />
      <AuthFormIntro>
        {es(
          `No te enviamos más lo que no has visto en ${community}. Lo demás sigue igual.`,
          `We no longer send you what you have not seen at ${community}. Everything else stays.`,
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
