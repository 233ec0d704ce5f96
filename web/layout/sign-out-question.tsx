import type { QueryClient } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { getMessageOutbox } from '#web/features/chat/messages/use-message-outbox.ts'
import { openPostDraftStore } from '#web/features/posts/drafts/post-draft-store.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

type Kind = 'message' | 'post' | 'draft'

const sentences: Record<Kind, (count: number) => string> = {
  message: (count) =>
    en(
      `${count} ${count === 1 ? 'message has' : 'messages have'} not been sent yet.`,
      `${count} ${count === 1 ? 'mensaje no se ha' : 'mensajes no se han'} enviado todavía.`,
    ),
  post: (count) =>
    en(
      `${count} ${count === 1 ? 'post waits' : 'posts wait'} to be sent.`,
      `${count} ${count === 1 ? 'publicación espera' : 'publicaciones esperan'} para enviarse.`,
    ),
  draft: (count) =>
    en(
      `${count} ${count === 1 ? 'draft is' : 'drafts are'} only on this device.`,
      `${count} ${count === 1 ? 'borrador está' : 'borradores están'} solo en este dispositivo.`,
    ),
}

/** Empty if nothing is unsent. Open forms show their own question. */
export async function describeUnsentWork(client: QueryClient): Promise<string> {
  const me = client.getQueryData(signedInMemberQuery.queryKey)
  if (!me) return ''
  const outbox = getMessageOutbox(client, me.accountId)
  const [drafts] = await Promise.all([openPostDraftStore(me.id).list(), outbox.ready])
  const counts: Record<Kind, number> = {
    message: outbox.all().length,
    post: drafts.filter(({ waiting }) => waiting).length,
    draft: drafts.filter(({ waiting, open }) => !waiting && !open).length,
  }
  const kinds = (['message', 'post', 'draft'] as const).filter((kind) => counts[kind] > 0)
  if (kinds.length === 0) return ''
  const one = kinds.reduce((sum, kind) => sum + counts[kind], 0) === 1
  return [
    ...kinds.map((kind) => sentences[kind](counts[kind])),
    en(`Logging out deletes ${one ? 'it' : 'them'}.`, `Al cerrar sesión se ${one ? 'borra' : 'borran'}.`),
  ].join(' ')
}

type Props = {
  open: boolean
  unsent: string
  onConfirm: () => void
  onCancel: () => void
}

export const SignOutQuestion = ({ unsent, ...answers }: Props) => (
  <ConfirmDialog
    title={en('Log out now?', '¿Cerrar sesión ahora?')}
    text={unsent}
    confirm={en('Log out', 'Cerrar sesión')}
    cancel={en('Stay', 'Quedarme')}
    danger
    {...answers}
  />
)
