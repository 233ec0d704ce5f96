import { useMutation, useQuery } from '@tanstack/react-query'
import { CalendarClock, EyeOff, Flower2, LogOut, type LucideIcon, MessageCircle, Trash2 } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { requestDeletionEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { describeTooManyAttempts } from '#web/api/rate-limit-message.ts'
import { signOut } from '#web/features/account/session.ts'
import { accountSettingsQuery } from '#web/features/account/settings/account-security-queries.ts'
import {
  ReauthenticationCancelled,
  useReauthentication,
} from '#web/features/account/settings/use-reauthentication.tsx'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { formatNumber } from '#web/format-number.ts'
import { Checkbox } from '#web/forms/checkbox.tsx'
import { LabelledFormField, PasswordInput, TextInput } from '#web/forms/labelled-form-field.tsx'
import { Select } from '#web/forms/select.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type DeletionPlan, deletionPlanQuery } from './deletion-plan-query.ts'

type Plan = DeletionPlan

export function DeleteAccountPage() {
  return (
    <QueryView query={useQuery(deletionPlanQuery)} skeleton={<PlanSkeleton />} noticeClassName="mb-3.5">
      {(plan) => <DeleteAccount {...plan} />}
    </QueryView>
  )
}

const PlanSkeleton = () => (
  <>
    <Skeleton className="mb-4 h-80 rounded-card" />
    <Skeleton className="h-96 rounded-card" />
  </>
)

function DeleteAccount(plan: Plan) {
  const [heirs, setHeirs] = useState<Record<string, string>>({})
  const chosen = Object.fromEntries(
    plan.groups.flatMap(({ $id, heirs: [oldest] }) => (oldest ? [[$id, heirs[$id] ?? oldest.$id]] : [])),
  )
  return (
    <>
      <section aria-label={en('What happens', 'Qué pasa')} className="card mb-4 p-5">
        <h2 className="heading mb-2.5 text-lead">{en('What happens', 'Qué pasa')}</h2>
        <ul>
          <Consequence icon={EyeOff} color="text-danger">
            <b>{en('Immediately', 'Al momento')}</b>
            {en(
              ' you disappear: nobody sees your profile, posts, photos or likes, or finds you in search.',
              ' desapareces: nadie ve tu perfil, publicaciones, fotos ni me gusta, ni te encuentra en la búsqueda.',
            )}
          </Consequence>
          <Consequence icon={LogOut} color="text-danger">
            <b>{en('Immediately', 'Al momento')}</b>
            {en(' every device is logged out.', ' se cierra la sesión en cada uno de tus dispositivos.')}
          </Consequence>
          <Consequence icon={CalendarClock} color="text-text-2">
            <b>
              {en('Until ', 'Hasta el ')}
              {formatDay(plan.eraseAfter)}
            </b>
            {en(
              ' you can come back and find everything as it was, except the groups you handed over.',
              ' puedes volver y encontrarlo todo como estaba, menos los grupos que cediste.',
            )}
          </Consequence>
          <Consequence icon={Trash2} color="text-danger">
            <b>{en('Then', 'Después')}</b>
            {en(' your account is deleted for good: ', ' tu cuenta se borra para siempre: ')}
            {describeCounts(plan.counts)}.
          </Consequence>
          <Consequence icon={MessageCircle} color="text-success">
            {plan.counts.messages === 0
              ? en(
                  'Others keep the messages you send until then. The sender is shown as “Deleted member”.',
                  'Las demás conservan los mensajes que envíes hasta entonces, con el nombre «Integrante borrada».',
                )
              : en(
                  `Others keep the ${count(plan.counts.messages, 'message', 'messages')} you sent them. The sender is shown as “Deleted member”.`,
                  `Las demás conservan ${count(plan.counts.messages, 'el mensaje', 'mensajes')} que les enviaste, con el nombre «Integrante borrada».`,
                )}{' '}
            {en('You choose below whether to unsend them.', 'Abajo eliges si los retiras.')}
          </Consequence>
          {plan.groups.map((group) => (
            <Consequence key={group.$id} icon={Flower2} color="text-success">
              {group.heirs.length === 0 ? (
                <>
                  <b>{group.name}</b>
                  {en(
                    ' is hidden now and deleted with your account: nobody can take it over.',
                    ' se oculta ahora y se borra con tu cuenta: nadie puede hacerse cargo de él.',
                  )}
                </>
              ) : (
                <Successor
                  group={group}
                  chosen={chosen[group.$id]}
                  onChoose={(successor) => setHeirs({ ...heirs, [group.$id]: successor })}
                />
              )}
            </Consequence>
          ))}
        </ul>
      </section>
      <DeletionForm plan={plan} heirs={chosen} />
    </>
  )
}

function Consequence({
  icon: Icon,
  color,
  children,
}: {
  icon: LucideIcon
  color: string
  children: ReactNode
}) {
  return (
    <li className="flex gap-3 py-2.5 wrap-anywhere [&_b]:font-[680]">
      <Icon aria-hidden size={20} strokeWidth={1.9} className={cx('mt-0.5 flex-none', color)} />
      <div className="min-w-0 flex-1 text-pretty">{children}</div>
    </li>
  )
}

type SuccessorProps = {
  group: Plan['groups'][number]
  chosen: string | undefined
  onChoose: (successor: string) => void
}

function Successor({ group, chosen, onChoose }: SuccessorProps) {
  const [choosing, setChoosing] = useState(false)
  const successor = group.heirs.find(({ $id }) => $id === chosen)
  return (
    <>
      <b>{group.name}</b>
      {en(' goes to ', ' pasa a ')}
      {successor?.name}
      {en(' now', ' ahora')}
      {successor === group.heirs[0] && en(', its longest-standing member', ', su integrante más antigua')}.{' '}
      {group.heirs.length > 1 && !choosing && (
        <button
          type="button"
          onClick={() => setChoosing(true)}
          className="font-[660] text-brand-text underline-offset-4 hover:underline hit-44"
        >
          {en('Choose another', 'Elegir a otra')}
        </button>
      )}
      {choosing && (
        <div className="mt-2">
          <Select
            autoFocus
            aria-label={en(`Who takes over ${group.name}`, `Quién se queda con ${group.name}`)}
            value={chosen}
            onChange={({ target }) => onChoose(target.value)}
          >
            {group.heirs.map(({ $id, name }) => (
              <option key={$id} value={$id}>
                {name}
              </option>
            ))}
          </Select>
        </div>
      )}
    </>
  )
}

function DeletionForm({ plan, heirs }: { plan: Plan; heirs: Record<string, string> }) {
  const { username } = useSignedInMember()
  const form = useRef<HTMLFormElement>(null)
  const hasPasskey = (useQuery(accountSettingsQuery).data?.passkeyCount ?? 0) > 0
  const { dialog, withReauthentication } = useReauthentication(plan.asksForCode ? 'code' : 'password')
  const deletion = useMutation({
    mutationFn: (given: Parameters<typeof callApiOperation<typeof requestDeletionEndpoint>>[1]) =>
      withReauthentication(() => callApiOperation(requestDeletionEndpoint, given)),
    onSuccess: async ({ receiptId }) => {
      await signOut()
      // The end of the session may already have opened the sign-in page.
      location.replace(screenPaths.receipt(receiptId))
    },
  })
  useEffect(() => {
    if (deletion.error) form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]')?.focus()
  }, [deletion.error])
  const failures = describeFailure(deletion.error)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (deletion.isPending) return
    const given = new FormData(event.currentTarget)
    const text = (name: string) => String(given.get(name) ?? '').trim() || undefined
    deletion.mutate({
      username: text('username') ?? '',
      password: String(given.get('password') ?? '') || undefined,
      code: text('code'),
      heirs,
      takeBackMessages: given.has('takeBack'),
    })
  }

  return (
    <section aria-label={en('Confirm it’s you', 'Confirma que eres tú')} className="card p-5">
      <h2 className="heading mb-3.5 text-lead">{en('Confirm it’s you', 'Confirma que eres tú')}</h2>
      <form ref={form} onSubmit={submit} noValidate className="space-y-4">
        {plan.asksForPassword && (
          <LabelledFormField
            label={en('Password', 'Contraseña')}
            hint={
              hasPasskey
                ? en('Leave it empty to use a passkey.', 'Déjala vacía para usar una llave de acceso.')
                : undefined
            }
            error={failures.password}
          >
            {(control) => <PasswordInput {...control} name="password" autoComplete="current-password" />}
          </LabelledFormField>
        )}
        {plan.asksForCode && (
          <LabelledFormField
            label={en('Code from your app', 'Código de tu aplicación')}
            hint={en('Or a recovery code.', 'O un código de recuperación.')}
            error={failures.code}
          >
            {(control) => <TextInput {...control} name="code" autoComplete="one-time-code" />}
          </LabelledFormField>
        )}
        <LabelledFormField
          label={en(`Type your username: ${username}`, `Escribe tu nombre de usuaria: ${username}`)}
          error={failures.username}
        >
          {(control) => (
            <TextInput
              {...control}
              name="username"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </LabelledFormField>
        <label className="flex min-h-11 items-center gap-3 font-[580]">
          <Checkbox name="takeBack" />
          {en(
            'Also unsend the messages I wrote in chats',
            'Retirar también los mensajes que escribí en los chats',
          )}
        </label>
        <p role="alert" className="text-label font-[550] text-danger empty:hidden">
          {failures.form}
        </p>
        <div className="flex flex-wrap gap-2.5">
          <Button
            type="submit"
            kind="danger"
            busy={deletion.isPending}
            busyLabel={en('Deleting...', 'Borrando...')}
          >
            {en('Delete my account', 'Borrar mi cuenta')}
          </Button>
          <ButtonLink to={screenPaths.settingsPage('data')} kind="ghost">
            {en('Keep my account', 'Conservar mi cuenta')}
          </ButtonLink>
        </div>
      </form>
      {dialog}
    </section>
  )
}

type Failures = Partial<Record<'password' | 'code' | 'username' | 'form', string>>

function describeFailure(error: Error | null): Failures {
  if (error === null || error instanceof ReauthenticationCancelled) return {}
  if (!(error instanceof ApiError)) return { form: genericErrorMessage }
  switch (error.type) {
    case 'username_mismatch':
      return { username: error.message }
    case 'user_invalid_credentials':
      return { password: en('That is not your password.', 'Esa no es tu contraseña.') }
    case 'user_invalid_token':
      return {
        code: en(
          'That code doesn’t match. Check that your phone’s clock is right.',
          'Ese código no coincide. Comprueba que el reloj de tu teléfono esté en hora.',
        ),
      }
    case 'group_member_not_found':
      return {
        form: en(
          'Someone left a group meanwhile. Reload the page and choose again.',
          'Alguien salió de un grupo entretanto. Vuelve a cargar la página y elige de nuevo.',
        ),
      }
    case 'general_rate_limit_exceeded':
      return { form: describeTooManyAttempts(error) }
    default:
      if (error.field === 'code') return { code: en('That code doesn’t match.', 'Ese código no coincide.') }
      return { form: genericErrorMessage }
  }
}

const formatDay = (iso: string) =>
  new Date(iso).toLocaleDateString(en('en-GB', 'es'), { day: 'numeric', month: 'long' })

const count = (number: number, one: string, many: string) =>
  `${formatNumber(number)} ${number === 1 ? one : many}`

const describeCounts = ({ photos, posts, likes, saves, comments }: Plan['counts']) =>
  [
    count(photos, en('photo', 'foto'), en('photos', 'fotos')),
    count(posts, en('post', 'publicación'), en('posts', 'publicaciones')),
    count(likes, en('like', 'me gusta'), en('likes', 'me gusta')),
    count(saves, en('save', 'guardada'), en('saves', 'guardadas')),
    count(comments, en('comment', 'comentario'), en('comments', 'comentarios')),
  ].join(', ')
