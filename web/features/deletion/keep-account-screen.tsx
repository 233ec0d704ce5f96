import { CalendarClock, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { keepAccountByEmailLinkEndpoint } from '#contract/generated-endpoints.ts'
import { es } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { AuthFormError } from '#web/features/account/auth-form-parts.tsx'
import { EmailLinkExpired } from '#web/features/account/email-link-expired.tsx'
import {
  EmailLinkStatus,
  useEmailLinkAction,
  useEmailLinkParameters,
} from '#web/features/account/email-link-parts.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

/** The member must press a button, because mail scanners open links. */
export function KeepAccountScreen() {
  const linkParameters = useEmailLinkParameters()
  const { busy, run, error, isOver, failure } = useEmailLinkAction()
  const [kept, setKept] = useState(false)
  if (!linkParameters || isOver) return <EmailLinkExpired />
  if (kept)
    return (
      <EmailLinkStatus
        icon={CircleCheck}
        color="success"
        title={es('Tu cuenta sigue aquí', 'Your account is still here')}
        lead={es(
          'Todo está como estaba. Si no pediste borrarla, elige una contraseña nueva.',
          'Everything is as it was. If you did not ask to delete it, choose a new password.',
        )}
      >
        <div className="flex flex-col gap-3">
          <ButtonLink to={screenPaths.signIn()} size="lg" block>
            {es('Entrar', 'Sign in')}
          </ButtonLink>
          <ButtonLink to={screenPaths.recovery()} kind="ghost" block>
            {es('Elegir una contraseña nueva', 'Choose a new password')}
          </ButtonLink>
        </div>
      </EmailLinkStatus>
    )
  const isTooLate = error instanceof ApiError && error.type === 'deletion_under_way'

  const keep = () =>
    run(async () => {
      await callApiOperation(keepAccountByEmailLinkEndpoint, { secret: linkParameters.secret })
      setKept(true)
    })

  return (
    <EmailLinkStatus
      icon={CalendarClock}
      color="warning"
      title={es('¿Quieres quedarte?', 'Do you want to stay?')}
      lead={es(
        'Pulsa el botón para conservar tu cuenta. Lo encontrarás todo como estaba.',
        'Press the button to keep your account. You’ll find everything as it was.',
      )}
    >
      <div className="flex flex-col gap-4.5">
        <AuthFormError
          text={
            isTooLate
              ? es(
                  'Ya es tarde: tu cuenta se está borrando.',
                  'It is too late: your account is being deleted.',
                )
              : failure
          }
        />
        <Button size="lg" block busy={busy} onClick={keep}>
          {es('No quiero borrarla', 'I don’t want to delete it')}
        </Button>
      </div>
    </EmailLinkStatus>
  )
}
