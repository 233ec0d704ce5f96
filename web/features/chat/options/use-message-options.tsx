import { type ComponentType, type ReactNode, useCallback, useRef, useState } from 'react'
import { en } from '#contract/language.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import type { MessageActions, MessageOptionsProps } from './message-options.tsx'

/**
 * Loads the menu on first use.
 * @returns a stable function to open it, and the menu to render outside the messages
 */
export function useMessageOptions(actionsOf: (messageId: string) => MessageActions): {
  open: (messageId: string, button: HTMLElement, first?: MessageOptionsProps['first']) => void
  menu: ReactNode
} {
  const [Options, setOptions] = useState<ComponentType<MessageOptionsProps>>()
  const [opened, setOpened] = useState<MessageOptionsProps & { time: number }>()
  const times = useRef(0)
  const latest = useRef(actionsOf)
  latest.current = actionsOf

  const open = useCallback(
    (messageId: string, button: HTMLElement, first: MessageOptionsProps['first'] = 'menu') => {
      import('./message-options.tsx').then(
        ({ MessageOptions }) => {
          setOptions(() => MessageOptions)
          times.current += 1
          setOpened({ messageId, button, first, actions: latest.current(messageId), time: times.current })
        },
        () =>
          toast({
            title: en('Error', 'Error'),
            text: genericErrorMessage,
            kind: 'destructive',
          }),
      )
    },
    [],
  )

  return {
    open,
    menu: Options && opened && (
      <Options
        key={opened.time}
        messageId={opened.messageId}
        button={opened.button}
        actions={opened.actions}
        first={opened.first}
      />
    ),
  }
}
