import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { classes } from '#web/ui/classes.ts'
import { PageTitle } from '#web/ui/page-title.tsx'
import { useMedia } from '#web/ui/use-media.ts'
import { ChatSidebar, sidebarId } from './chat-sidebar.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { OpenSidebar } from './open-sidebar.tsx'
import { Thread } from './thread.tsx'
import { useKeyboard } from './use-keyboard.ts'
import { Welcome } from './welcome.tsx'

/**
 * Spec §2 Chat: the conversations beside the open one. It fills what the bars leave of the window; on narrow screens one of
 * the two covers the other (conflict C-66).
 */
export function ChatScreen() {
  const { conversationId } = useParams()
  const [query] = useSearchParams()
  // The path wins (conflict C-43).
  const selected = conversationId ?? query.get('conversation') ?? undefined
  const sidebar = useSidebar(selected)
  const bottom = useKeyboard()
  const opener = sidebar.open ? null : <OpenSidebar controls={sidebarId} onClick={sidebar.show} />
  return (
    <div
      style={bottom}
      className="fixed inset-x-0 top-14 bottom-(--bottom-bar) flex flex-col md:top-0 md:left-[92px] xl:left-[256px]"
    >
      <PageTitle title="Chat" hidden />
      <ConnectionBar />
      <div className="flex min-h-0 flex-1">
        <ChatSidebar
          open={sidebar.open}
          selected={selected}
          onClose={sidebar.hide}
          onSelect={sidebar.afterSelecting}
        />
        <section
          aria-label="Conversation"
          className={classes('min-h-0 min-w-0 flex-1 flex-col', sidebar.open ? 'flex max-md:hidden' : 'flex')}
        >
          {selected ? (
            <Thread key={selected} conversationId={selected} opener={opener} />
          ) : (
            <Welcome opener={opener} />
          )}
        </section>
      </div>
    </div>
  )
}

/** Wide: open until it is closed. Narrow: open while nothing is selected, or until the next selection. */
function useSidebar(selected: string | undefined) {
  const wide = useMedia('(min-width: 48rem)')
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
