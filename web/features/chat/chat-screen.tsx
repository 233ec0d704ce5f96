import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { en } from '#contract/language.ts'
import { cx } from '#web/ui/cx.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import { ChatSidebar, chatSidebarElementId } from './chat-sidebar.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { ConversationView } from './conversation-view.tsx'
import { NoConversationSelected } from './no-conversation-selected.tsx'
import { OpenChatSidebarButton } from './open-chat-sidebar-button.tsx'
import { useVirtualKeyboardInset } from './use-virtual-keyboard-inset.ts'

export function ChatScreen() {
  const { conversationId } = useParams()
  const [query] = useSearchParams()
  const selected = conversationId ?? query.get('conversation') ?? undefined
  const sidebar = useSidebar(selected)
  const bottom = useVirtualKeyboardInset()
  const opener = sidebar.open ? null : (
    <OpenChatSidebarButton controls={chatSidebarElementId} onClick={sidebar.show} />
  )
  return (
    <div
      style={bottom}
      className="fixed inset-x-0 top-14 bottom-(--bottom-bar) flex flex-col md:top-0 md:left-(--sidebar) print:static print:block"
    >
      <PageTitle title={en('Chat', 'Chat')} hidden />
      <ConnectionBanner />
      <div className="flex min-h-0 flex-1 print:block">
        <ChatSidebar
          open={sidebar.open}
          selected={selected}
          onClose={sidebar.hide}
          onSelect={sidebar.afterSelecting}
        />
        <section
          aria-label={en('Conversation', 'Conversación')}
          className={cx(
            'min-h-0 min-w-0 flex-1 flex-col print:block',
            sidebar.open ? 'flex max-md:hidden' : 'flex',
          )}
        >
          {selected ? (
            <ConversationView key={selected} conversationId={selected} opener={opener} />
          ) : (
            <NoConversationSelected opener={opener} />
          )}
        </section>
      </div>
    </div>
  )
}

/** Narrow screens close the sidebar when a conversation is selected. */
function useSidebar(selected: string | undefined) {
  const wide = useMediaQuery('(min-width: 48rem)')
  const [wideOpen, setWideOpen] = useState(true)
  const [narrow, setNarrow] = useState<{ at: string | undefined; open: boolean }>()
  const narrowOpen = narrow?.at === selected && narrow ? narrow.open : !selected
  const turn = (open: boolean) => (wide ? setWideOpen(open) : setNarrow({ at: selected, open }))
  return {
    open: wide ? wideOpen : narrowOpen,
    show: () => turn(true),
    hide: () => turn(false),
    afterSelecting: () => wide || setNarrow(undefined),
  }
}
