import { useMutation, useQuery } from '@tanstack/react-query'
import { Moon, Trash2 } from 'lucide-react'
import { closeAccountEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { clearLocalSession } from '#web/features/account/session.ts'
import { type DeletionPlan, deletionPlanQuery } from '#web/features/deletion/deletion-plan-query.ts'
import { screenPaths } from '#web/paths.ts'
import { useConfirm } from '#web/ui/use-confirm.tsx'
import { FormFailureAlert } from './form-failure-alert.tsx'
import {
  SettingsActionButton,
  SettingsActionLink,
  SettingsBox,
  SettingsRow,
} from './settings-box-and-rows.tsx'
import { ReauthenticationCancelled, useReauthentication } from './use-reauthentication.tsx'

function describeGroup({ name, heirs: [successor] }: DeletionPlan['groups'][number]): string {
  return successor
    ? en(
        `${successor.name} becomes the admin of ${name}, and stays the admin after you return.`,
        `${successor.name} será la administradora de ${name}, y lo seguirá siendo cuando vuelvas.`,
      )
    : en(`${name} is hidden until you are back.`, `${name} se oculta hasta que vuelvas.`)
}

export function CloseAccountBox() {
  const plan = useQuery({ ...deletionPlanQuery, enabled: false })
  const groups = plan.data?.groups ?? []
  const { dialog: reauthentication, withReauthentication } = useReauthentication('strongest')
  const { dialog: question, ask } = useConfirm({
    title: en('Close your account for a while?', '¿Cerrar tu cuenta por un tiempo?'),
    text: en(
      'You’ll be logged out everywhere. Nobody will see you, your posts or your comments. People you chatted with keep your messages. Sign in to come back: everything will be as it was, except groups that passed to another member.',
      'Se cierran todas tus sesiones. Nadie te ve, ni tus publicaciones ni tus comentarios. Quienes hablaron contigo conservan tus mensajes. Entra cuando quieras volver: todo estará como estaba, menos los grupos que pasaron a otra integrante.',
    ),
    children: groups.length > 0 && (
      <ul className="mb-6 space-y-1 wrap-anywhere">
        {groups.map((group) => (
          <li key={group.$id}>{describeGroup(group)}</li>
        ))}
      </ul>
    ),
    confirm: en('Close for a while', 'Cerrar por un tiempo'),
    cancel: en('Cancel', 'Cancelar'),
  })
  const closing = useMutation({
    mutationFn: () => withReauthentication(() => callApiOperation(closeAccountEndpoint, {})),
    onSuccess: () => {
      clearLocalSession()
      // A new document removes everything from screen and memory.
      location.replace(screenPaths.signIn())
    },
  })
  const failed = closing.isError && !(closing.error instanceof ReauthenticationCancelled)
  return (
    <>
      <SettingsBox>
        <SettingsRow
          icon={Moon}
          title={en('Close for a while', 'Cerrar por un tiempo')}
          text={en('Nobody sees you until you sign in again.', 'Nadie te ve hasta que vuelvas a entrar.')}
        >
          <SettingsActionButton
            label={en('Close for a while', 'Cerrar por un tiempo')}
            busy={closing.isPending || plan.isFetching}
            onClick={async () => {
              await plan.refetch()
              if (await ask()) closing.mutate()
            }}
          >
            {en('Close', 'Cerrar')}
          </SettingsActionButton>
        </SettingsRow>
        <SettingsRow
          icon={Trash2}
          title={en('Delete your account', 'Borrar tu cuenta')}
          text={en('After 14 days, with everything in it.', 'A los 14 días, con todo su contenido.')}
        >
          <SettingsActionLink
            to={screenPaths.settingsPage('data/delete')}
            label={en('Delete your account', 'Borrar tu cuenta')}
          >
            {en('Delete', 'Borrar')}
          </SettingsActionLink>
        </SettingsRow>
      </SettingsBox>
      <FormFailureAlert shown={failed} error={closing.error} />
      {question}
      {reauthentication}
    </>
  )
}
