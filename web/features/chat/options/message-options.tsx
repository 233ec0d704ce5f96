import { useQueryClient } from '@tanstack/react-query'
import { Copy, Flag, Reply, SmilePlus, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ReactionEmoji } from '#contract/chat/messages.ts'
import { unsendMessageEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { chatQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Menu, type MenuItem } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { waitForNextPaint } from '#web/ui/wait-for-next-paint.ts'
import { cacheMessage } from '../messages/message-cache-sync.ts'
import { ReactionMenu } from '../reactions/reaction-menu.tsx'

export type MessageActions = {
  reply?: () => void
  react?: { own: ReactionEmoji | null; choose: (emoji: ReactionEmoji) => void }
  copy?: () => void
  report?: () => void
  mayUnsend: boolean
}

export type MessageOptionsProps = {
  messageId: string
  button: HTMLElement
  actions: MessageActions
  first: 'menu' | 'reactions'
}

export function MessageOptions({ messageId, button, actions, first }: MessageOptionsProps) {
  const [shown, setShown] = useState<MessageOptionsProps['first'] | 'question' | 'nothing'>(first)
  const close = () => setShown('nothing')
  const unsend = useUnsend(close)
  const items: MenuItem[] = []
  if (actions.reply) items.push({ label: en('Reply', 'Responder'), icon: Reply, run: actions.reply })
  if (actions.react)
    items.push({ label: en('React', 'Reaccionar'), icon: SmilePlus, run: () => setShown('reactions') })
  if (actions.copy) items.push({ label: en('Copy text', 'Copiar el texto'), icon: Copy, run: actions.copy })
  if (actions.mayUnsend)
    items.push({ label: en('Unsend', 'Retirar'), icon: Undo2, danger: true, run: () => setShown('question') })
  if (actions.report)
    items.push({ label: en('Report message…', 'Denunciar el mensaje…'), icon: Flag, run: actions.report })
  return (
    <>
      <Menu
        button={shown === 'menu' ? button : undefined}
        label={en('Message options', 'Opciones del mensaje')}
        items={items}
        onClose={close}
      />
      {actions.react && (
        <ReactionMenu
          beside={shown === 'reactions' ? button : undefined}
          own={actions.react.own}
          onChoose={actions.react.choose}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={shown === 'question'}
        title={en('Unsend this message for both of you?', '¿Retirar este mensaje para las dos?')}
        text={en('“Message unsent” stays in its place.', 'En su lugar queda «Mensaje retirado».')}
        confirm={en('Unsend', 'Retirar')}
        cancel={en('Keep', 'Conservarlo')}
        danger
        busy={unsend.isPending}
        onConfirm={() => unsend.mutate(messageId)}
        onCancel={close}
      />
    </>
  )
}

function useUnsend(onDone: () => void) {
  const queryClient = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: (messageId: string) => callApiOperation(unsendMessageEndpoint, { messageId }),
    onSuccess: (message) => {
      cacheMessage(queryClient, message)
      void queryClient.invalidateQueries({ queryKey: chatQueryKeys.conversations })
      // The button disappeared with the text, so the message receives the focus.
      void waitForNextPaint().then(() =>
        document.querySelector<HTMLElement>(`[data-message="${message.$id}"]`)?.focus(),
      )
    },
    onError: (error) =>
      toast({
        title: en('Error', 'Error'),
        text:
          error instanceof ApiError && error.type === 'message_too_old' ? error.message : genericErrorMessage,
        kind: 'destructive',
      }),
    onSettled: onDone,
  })
}
