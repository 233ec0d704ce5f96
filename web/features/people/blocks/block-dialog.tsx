import { useQuery } from '@tanstack/react-query'
import { BellOff, EyeOff, Info, type LucideIcon, MessageCircleOff } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { previewBlockEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { isQueryLoading } from '#web/api/query-status-predicates.ts'
import { Checkbox } from '#web/forms/checkbox.tsx'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useBlockMember } from './mutations.ts'
import { blockPreviewQuery } from './queries.ts'

type Props = {
  person: { $id: string; name: string }
  open: boolean
  leavesPage?: boolean
  onClose: () => void
}

const facts: readonly [LucideIcon, string][] = [
  [
    EyeOff,
    en(
      'She can’t see you, your posts or your photos, and you don’t see hers. Not in groups either.',
      'No puede verte, ni tus publicaciones ni tus fotos, y tú no ves las suyas. Tampoco en los grupos.',
    ),
  ],
  [
    BellOff,
    en(
      'She isn’t notified. To her, your account looks closed.',
      'No se le avisa. Para ella es como si tu cuenta estuviera cerrada.',
    ),
  ],
  [
    MessageCircleOff,
    en(
      'You stop following each other and nobody can write. You both keep your messages.',
      'Se dejan de seguir y ninguna puede escribir a la otra. Las dos conservan los mensajes.',
    ),
  ],
]

/** Escape, a click on the backdrop and the initially focused button all cancel. */
export function BlockDialog({ person, open, leavesPage, onClose }: Props) {
  const id = useId()
  const cancel = useRef<HTMLButtonElement>(null)
  const navigate = useNavigate()
  const preview = useQuery({ ...blockPreviewQuery(person.$id), enabled: open })
  const [staysIn, setStaysIn] = useState<readonly string[]>([])
  const block = useBlockMember(person, () => {
    onClose()
    if (leavesPage) void navigate(screenPaths.settingsPage('blocked'), { replace: true })
  })
  const groups = preview.data?.groups ?? []
  const removeFrom = groups
    .filter(({ $id, admin }) => admin === 'me' && !staysIn.includes($id))
    .map(({ $id }) => $id)

  function close() {
    block.reset()
    onClose()
  }

  return (
    <Modal
      open={open}
      role="alertdialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-facts`}
      firstFocus={cancel}
      onClose={close}
      className="w-[min(520px,calc(100%-32px))]"
    >
      <div className="p-5 md:p-7">
        <h2 id={`${id}-title`} className="heading text-2xl leading-[1.875rem] wrap-anywhere">
          {en('Block ', 'Bloquear a ')}
          {person.name}?
        </h2>
        <ul id={`${id}-facts`} className="mt-4.5 space-y-3">
          {facts.map(([Icon, fact]) => (
            <li key={fact} className="flex items-start gap-3 text-pretty">
              <Icon aria-hidden size={20} strokeWidth={1.9} className="mt-0.5 flex-none text-brand" />
              {fact}
            </li>
          ))}
        </ul>
        {open && isQueryLoading(preview) && <Skeleton className="mt-4.5 h-20 rounded-photo" />}
        {groups.length > 0 && (
          <GroupsInCommon
            groups={groups}
            staysIn={staysIn}
            onChange={(groupId, stays) =>
              setStaysIn(stays ? [...staysIn, groupId] : staysIn.filter((other) => other !== groupId))
            }
          />
        )}
        <p className="mt-4 flex items-start gap-2 text-meta text-pretty text-text-2">
          <Info aria-hidden size={16} strokeWidth={2} className="mt-0.5 flex-none" />
          {en(
            'With another account she could still find out that you are here. Newer accounts from her browser are blocked too.',
            'Con otra cuenta podría descubrir que estás aquí. También se bloquean las cuentas más nuevas de su navegador.',
          )}
        </p>
        {block.isError && (
          <p role="alert" className="mt-4 text-label font-[550] text-danger">
            {genericErrorMessage}
          </p>
        )}
        <div className="mt-6 flex justify-end gap-2.5 max-md:flex-col-reverse">
          <Button ref={cancel} kind="quiet" onClick={close}>
            {en('Cancel', 'Cancelar')}
          </Button>
          <Button
            kind="danger"
            busy={isQueryLoading(preview) || block.isPending}
            onClick={() => block.mutate(removeFrom)}
          >
            {en('Block', 'Bloquear')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

type GroupsProps = {
  groups: OperationOutput<typeof previewBlockEndpoint>['groups']
  staysIn: readonly string[]
  onChange: (groupId: string, stays: boolean) => void
}

/** The person leaves the member's own groups, except those that the member unchecks. */
function GroupsInCommon({ groups, staysIn, onChange }: GroupsProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-4.5 rounded-photo bg-sunken px-4 py-3">
      <h3 id={id} className="text-label font-[650]">
        {en('You are both in ', 'Las dos están en ')}
        {groups.length === 1
          ? en('1 group', '1 grupo')
          : en(`${groups.length} groups`, `${groups.length} grupos`)}
      </h3>
      <ul className="mt-1 divide-y divide-border">
        {groups.map(({ $id, name, admin }) => (
          <li key={$id}>
            {admin === 'me' ? (
              <label className="flex min-h-11 items-center gap-3 py-2">
                <GroupWords
                  name={name}
                  text={en('Your group. Remove her from it too', 'Tu grupo. Sácala también de él')}
                />
                <Checkbox
                  checked={!staysIn.includes($id)}
                  onChange={({ target }) => onChange($id, !target.checked)}
                />
              </label>
            ) : (
              <div className="flex min-h-11 items-center py-2">
                <GroupWords
                  name={name}
                  text={en('You stay, but you won’t see each other there', 'Te quedas, pero allí no se ven')}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function GroupWords({ name, text }: { name: string; text: string }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block text-label font-[640] wrap-anywhere">{name}</span>
      <span className="block text-meta text-text-2">{text}</span>
    </span>
  )
}
