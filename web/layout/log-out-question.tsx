/** Asks before a sign-out that deletes messages which have not been sent. */

import type { QueryClient } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { getMessageOutbox } from '#web/features/chat/messages/use-message-outbox.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

/** Counts the member's messages that the server does not have yet. */
export async function countUnsentMessages(client: QueryClient): Promise<number> {
  const me = client.getQueryData(signedInMemberQuery.queryKey)
  if (!me) return 0
  const outbox = getMessageOutbox(client, me.accountId)
  await outbox.ready
  return outbox.all().length
}

type Props = {
  open: boolean
  /** How many messages would be lost. */
  unsent: number
  onConfirm: () => void
  onCancel: () => void
}

export function LogOutQuestion({ unsent, ...answers }: Props) {
  const one = unsent === 1
  return (
    <ConfirmDialog
      title={en('Log out now?', '¿Cerrar sesión ahora?')}
      text={en(
        `${unsent} ${one ? 'message has' : 'messages have'} not been sent yet. Logging out deletes ${one ? 'it' : 'them'}.`,
        `${unsent} ${one ? 'mensaje no se ha' : 'mensajes no se han'} enviado todavía. Al cerrar sesión se ${one ? 'borra' : 'borran'}.`,
      )}
      confirm={en('Log out', 'Cerrar sesión')}
      cancel={en('Stay', 'Quedarme')}
      danger
      {...answers}
    />
  )
}
