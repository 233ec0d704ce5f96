import { PanelLeftClose } from 'lucide-react'
import { MessageRequestsLink } from '#web/features/message-requests/message-requests-link.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { ConversationList } from './conversation-list.tsx'
import { PersonSearch } from './person-search.tsx'

export const chatSidebarElementId = 'chat-sidebar'

type Props = {
  open: boolean
  selected: string | undefined
  onClose: () => void
  onSelect: () => void
}

/**
 * Lists conversations and finds people: 320 px beside the thread, below 768 px the whole screen. Stays mounted while
 * closed, so that it reopens as it was.
 */
export function ChatSidebar({ open, selected, onClose, onSelect }: Props) {
  return (
    <aside
      id={chatSidebarElementId}
      aria-label="Messages"
      inert={!open}
      className={cx(
        'min-h-0 flex-none overflow-hidden bg-surface transition-[width,visibility] duration-200 ease-calm',
        open ? 'w-full md:w-80' : 'invisible w-0 max-md:hidden',
      )}
    >
      <div className="flex h-full w-screen flex-col border-border md:w-80 md:border-r">
        <div className="flex items-center justify-between pt-[18px] pr-3 pb-2.5 pl-[18px] md:pt-6 md:pb-3.5 md:pl-[22px]">
          <h2 className="heading text-2xl leading-[1.875rem]">Messages</h2>
          <IconButton
            label="Close sidebar"
            aria-expanded="true"
            aria-controls={chatSidebarElementId}
            onClick={onClose}
          >
            <PanelLeftClose aria-hidden size={20} strokeWidth={2} />
          </IconButton>
        </div>
        <PersonSearch onPicked={onSelect} />
        <MessageRequestsLink />
        <ConversationList selected={selected} onSelect={onSelect} />
      </div>
    </aside>
  )
}
