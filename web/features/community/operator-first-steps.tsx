import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Mail, ShieldCheck, Ticket, X } from 'lucide-react'
import { type ReactNode, useId, useRef } from 'react'
import type { FirstSteps as Steps } from '#contract/community/first-steps.ts'
import { hideFirstStepsEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import {
  SettingsActionButton,
  SettingsActionLink,
  SettingsBadge,
  SettingsIconTile,
} from '#web/features/account/settings/settings-box-and-rows.tsx'
import { TestEmailResult, useTestEmail } from '#web/features/admin/test-email.tsx'
import { useOperatorMutation } from '#web/features/admin/use-operator-mutation.ts'
import { RefusalAlert } from '#web/features/moderation/refusal-alert.tsx'
import { moveFocusToContent } from '#web/navigation/move-focus-to-content.ts'
import { screenPaths } from '#web/paths.ts'
import { IconButton } from '#web/ui/button.tsx'
import { firstStepsQuery } from './queries.ts'

export function FirstSteps() {
  const { data: steps } = useQuery(firstStepsQuery)
  if (!steps || steps.hidden || isDone(steps)) return null
  return <FirstStepsCard steps={steps} />
}

const isDone = ({ invited, hasModerator, email }: Steps) => invited && hasModerator && email === 'works'

function FirstStepsCard({ steps: { invited, hasModerator, email } }: { steps: Steps }) {
  const client = useQueryClient()
  const titleId = useId()
  const section = useRef<HTMLElement>(null)
  const hiding = useOperatorMutation({
    mutationFn: () => callApiOperation(hideFirstStepsEndpoint, {}),
    onSuccess() {
      moveFocusToContent(section.current)
      return client.invalidateQueries({ queryKey: firstStepsQuery.queryKey })
    },
  })
  return (
    <section ref={section} aria-labelledby={titleId} className="card mb-3 px-4 pt-3 pb-1.5 md:mb-5 md:px-5">
      <div className="flex items-center justify-between gap-2">
        <h2 id={titleId} className="heading text-lead">
          {en('Next steps', 'Próximos pasos')}
        </h2>
        <IconButton
          label={en('Hide next steps', 'Ocultar próximos pasos')}
          className="-mr-2"
          aria-busy={hiding.isPending || undefined}
          onClick={() => hiding.mutate()}
        >
          <X aria-hidden size={20} strokeWidth={2} />
        </IconButton>
      </div>
      <ul className="divide-y divide-border">
        <Step
          icon={Ticket}
          done={invited}
          title={en('Invite people', 'Invita a otras')}
          text={en(
            'Create a link for one person, or one that several people can use.',
            'Crea un enlace para una persona o uno que puedan usar varias.',
          )}
          action={
            <SettingsActionLink
              to={screenPaths.settingsPage('invitations')}
              label={en('Invite people', 'Invita a otras')}
            >
              {en('Invite', 'Invitar')}
            </SettingsActionLink>
          }
        />
        <Step
          icon={ShieldCheck}
          done={hasModerator}
          title={en('Choose a moderator', 'Elige a una moderadora')}
          text={en(
            'A moderator reviews what members report. Choose one of the members.',
            'Revisa lo que denuncian las integrantes. Elígela entre ellas.',
          )}
          action={
            <SettingsActionLink
              to={screenPaths.adminPage('members')}
              label={en('Choose a moderator', 'Elige a una moderadora')}
            >
              {en('Choose', 'Elegir')}
            </SettingsActionLink>
          }
        />
        <EmailStep email={email} />
      </ul>
      <RefusalAlert error={hiding.error} />
      {hiding.dialog}
    </section>
  )
}

function EmailStep({ email }: { email: Steps['email'] }) {
  const sending = useTestEmail()
  const title = en('Test email', 'Prueba el correo')
  if (email !== 'untested')
    return (
      <Step
        icon={Mail}
        done={email === 'works'}
        title={title}
        text={en(
          'Email isn’t set up, so nobody can reset a password. Set SMTP_URL as docs/self-hosting.md says.',
          'El correo no está configurado, así que nadie puede recuperar su contraseña. Configura SMTP_URL como explica docs/self-hosting.md.',
        )}
      />
    )
  return (
    <Step
      icon={Mail}
      done={false}
      title={title}
      text={en(
        'Sends an email to your own address and shows what the mail server answers.',
        'Envía un correo a tu propia dirección y muestra lo que responde el servidor de correo.',
      )}
      action={
        <SettingsActionButton label={title} busy={sending.isPending} onClick={() => sending.mutate()}>
          {en('Send', 'Enviar')}
        </SettingsActionButton>
      }
    >
      <TestEmailResult sending={sending} />
      {sending.data?.accepted && (
        <p className="mt-2 text-pretty text-label text-text-2">
          {en(
            'If it arrived, confirm your address to finish this step.',
            'Si te llegó, confirma tu dirección para terminar este paso.',
          )}{' '}
          <SettingsActionLink to={screenPaths.settingsPage('account')}>
            {en('Confirm your email', 'Confirma tu correo')}
          </SettingsActionLink>
        </p>
      )}
    </Step>
  )
}

type StepProps = {
  icon: typeof Ticket
  done: boolean
  title: string
  text: string
  action?: ReactNode
  children?: ReactNode
}

function Step({ icon, done, title, text, action, children }: StepProps) {
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center gap-x-3 md:gap-x-4">
        <SettingsIconTile icon={done ? Check : icon} color={done ? 'success' : 'plain'} />
        <div className="min-w-0 flex-1 basis-[12rem]">
          <p className="font-[640]">{title}</p>
          {!done && <p className="text-pretty text-label text-text-2 wrap-anywhere">{text}</p>}
        </div>
        {done ? <SettingsBadge color="success">{en('Done', 'Hecho')}</SettingsBadge> : action}
      </div>
      {children}
    </li>
  )
}
