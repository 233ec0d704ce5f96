import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Clock } from 'lucide-react'
import type { InstanceQueues, UndeliveredEmails } from '#contract/admin/instance.ts'
import { discardEmailEndpoint, retryEmailEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { adminQueryKeys } from '#web/api/query-keys.ts'
import {
  SettingsActionButton,
  SettingsNote,
  SettingsRow,
} from '#web/features/account/settings/settings-box-and-rows.tsx'
import { RefusalAlert } from '#web/features/moderation/refusal-alert.tsx'
import { formatNumber } from '#web/format-number.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useConfirm } from '#web/ui/use-confirm.tsx'
import { type Figure, FiguresBox } from './figures-box.tsx'
import { instanceQueuesQuery, undeliveredEmailsQuery } from './instance-queries.ts'
import { TestEmailResult, useTestEmail } from './test-email.tsx'
import { useOperatorMutation } from './use-operator-mutation.ts'

export function EmailsSection() {
  const queues = useQuery(instanceQueuesQuery)
  const emails = useQuery(undeliveredEmailsQuery)
  return (
    <>
      <QueryView
        query={queues}
        skeleton={<Skeleton className="mb-4 h-64 rounded-card" />}
        noticeClassName="mb-3.5"
      >
        {(state) => <Queues state={state} />}
      </QueryView>
      <TestEmail />
      <QueryView
        query={emails}
        skeleton={<Skeleton className="h-40 rounded-card" />}
        noticeClassName="mb-3.5"
      >
        {(list) => <Undelivered list={list} />}
      </QueryView>
    </>
  )
}

const formatSeconds = (count: number) => `${formatNumber(Math.round(count))} s`

function Queues({ state }: { state: InstanceQueues }) {
  const { emails, images, liveBehind, notificationsBehind, deletions, exports } = state
  const oldest = formatSeconds(emails.oldestSeconds)
  const email: Figure[] = [
    { label: en('Sent today', 'Enviados hoy'), value: formatNumber(emails.sentToday) },
    { label: en('Sent in seven days', 'Enviados en siete días'), value: formatNumber(emails.sentThisWeek) },
    {
      label: en('Waiting', 'En espera'),
      value: formatNumber(emails.waiting),
      text: emails.waiting > 0 && en(`Oldest waiting for ${oldest}`, `El más antiguo, desde hace ${oldest}`),
      color: emails.oldestSeconds > 900 ? 'danger' : undefined,
    },
    {
      label: en('Failed in 14 days', 'Fallidos en 14 días'),
      value: formatNumber(emails.failed),
      color: emails.failed > 0 ? 'danger' : undefined,
    },
  ]
  const erasing = formatNumber(deletions.erasing)
  const failedExports = formatNumber(exports.failed)
  const jobs: Figure[] = [
    {
      label: en('Photos waiting', 'Fotos en espera'),
      value: formatNumber(images),
      color: images > 20 ? 'warning' : undefined,
    },
    {
      label: en('Live update delay', 'Retraso de las novedades'),
      value: formatSeconds(liveBehind),
      color: liveBehind > 10 ? 'warning' : undefined,
    },
    {
      label: en('Notification delay', 'Retraso de los avisos'),
      value: formatSeconds(notificationsBehind),
      color: notificationsBehind > 60 ? 'warning' : undefined,
    },
    {
      label: en('Accounts to delete', 'Cuentas por borrar'),
      value: formatNumber(deletions.waiting),
      text: deletions.erasing > 0 && en(`${erasing} in progress`, `${erasing} en curso`),
    },
    {
      label: en('Data exports in progress', 'Copias de datos en curso'),
      value: formatNumber(exports.gathering),
      text: exports.failed > 0 && en(`${failedExports} failed`, `${failedExports} fallidas`),
      color: exports.failed > 0 ? 'warning' : undefined,
    },
  ]
  return (
    <>
      <FiguresBox title={en('Email', 'Correo')} figures={email} />
      <FiguresBox title={en('Jobs', 'Tareas')} figures={jobs} />
    </>
  )
}

function TestEmail() {
  const sending = useTestEmail()
  const title = en('Test email', 'Correo de prueba')
  return (
    <section aria-label={title} className="card mb-4 px-4 py-4 md:px-5">
      <h2 className="heading text-lead">{title}</h2>
      <p className="mb-3 text-pretty text-label text-text-2">
        {en(
          'Sends an email to your own address and shows what the mail server answers.',
          'Envía un correo a tu propia dirección y muestra lo que responde el servidor de correo.',
        )}
      </p>
      <Button kind="soft" busy={sending.isPending} onClick={() => sending.mutate()}>
        {en('Send a test email', 'Enviar un correo de prueba')}
      </Button>
      <TestEmailResult sending={sending} />
    </section>
  )
}

function Undelivered({ list: { documents, mail } }: { list: UndeliveredEmails }) {
  const title = en('Emails not delivered', 'Correos sin entregar')
  return (
    <>
      {!mail && (
        <SettingsNote icon={CircleAlert} color="warning">
          {en(
            'Email isn’t set up, so nobody can reset a password. Set SMTP_URL as docs/self-hosting.md says.',
            'El correo no está configurado, así que nadie puede recuperar su contraseña. Configura SMTP_URL como explica docs/self-hosting.md.',
          )}
        </SettingsNote>
      )}
      <section aria-label={title} className="card mb-4 px-4 py-4 md:px-5">
        <h2 className="heading text-lead">{title}</h2>
        {documents.length === 0 ? (
          <p className="flex items-center gap-2.5 pt-2 text-label text-text-2">
            <CircleCheck aria-hidden size={20} strokeWidth={2} className="flex-none text-success" />
            {en(
              'No emails are waiting, and none failed in the last 14 days.',
              'No hay correos en espera ni fallos en los últimos 14 días.',
            )}
          </p>
        ) : (
          <ul className="divide-y divide-border">
            {documents.map((email) => (
              <li key={email.$id}>
                <EmailRow email={email} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

function EmailRow({ email }: { email: UndeliveredEmails['documents'][number] }) {
  const { $id: emailId, kind, to, createdAt, failedAt, error, retriable, discardable } = email
  const client = useQueryClient()
  const reload = () =>
    Promise.all(
      [adminQueryKeys.emails, adminQueryKeys.queues].map((queryKey) =>
        client.invalidateQueries({ queryKey }),
      ),
    )
  const retrying = useOperatorMutation({
    mutationFn: () => callApiOperation(retryEmailEndpoint, { emailId }),
    onSettled: reload,
  })
  const discarding = useOperatorMutation({
    mutationFn: () => callApiOperation(discardEmailEndpoint, { emailId }),
    onSettled: reload,
  })
  const { dialog, ask } = useConfirm({
    title: en('Discard this email?', '¿Descartar este correo?'),
    text: en(
      'It will not be sent. The log shows that you discarded it.',
      'No se enviará. Queda en el registro.',
    ),
    confirm: en('Discard', 'Descartar'),
    cancel: en('Keep', 'Conservar'),
  })

  async function discard() {
    if (await ask()) discarding.mutate()
  }

  return (
    <>
      <SettingsRow
        icon={failedAt ? CircleAlert : Clock}
        color={failedAt ? 'warning' : 'plain'}
        wraps
        title={
          <>
            {to} <span className="font-normal text-text-2">{kind}</span>
          </>
        }
        text={
          <>
            {failedAt ? en('Failed', 'Falló') : en('Waiting since', 'En espera desde')}{' '}
            <RelativeTime at={failedAt ?? createdAt} inSentence />
            {error && <span lang="en">{` · ${error}`}</span>}
          </>
        }
      >
        {retriable && (
          <SettingsActionButton
            busy={retrying.isPending}
            label={en(`Send to ${to} again`, `Enviar otra vez a ${to}`)}
            onClick={() => retrying.mutate()}
          >
            {en('Send again', 'Reenviar')}
          </SettingsActionButton>
        )}
        {discardable && (
          <SettingsActionButton
            danger
            busy={discarding.isPending}
            label={en(`Discard the email to ${to}`, `Descartar el correo a ${to}`)}
            onClick={() => void discard()}
          >
            {en('Discard', 'Descartar')}
          </SettingsActionButton>
        )}
      </SettingsRow>
      <RefusalAlert error={retrying.error ?? discarding.error} className="pb-3 text-label" />
      {dialog}
      {retrying.dialog}
      {discarding.dialog}
    </>
  )
}
