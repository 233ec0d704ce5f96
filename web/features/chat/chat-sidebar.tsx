import { PanelLeftClose, TextSearch } from 'lucide-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { en } from '#contract/language.ts'
import { MessageRequestsLink } from '#web/features/chat/message-requests/message-requests-link.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { ConversationList } from './conversation-list.tsx'
import { PersonSearch } from './person-search.tsx'
import { MessageSearch } from './search/message-search.tsx'

export const chatSidebarElementId = 'chat-sidebar'

type Props = {
  open: boolean
  selected: string | undefined
  onClose: () => void
  onSelect: () => void
}

/** The sidebar stays mounted while closed to keep its state. */
export function ChatSidebar({ open, selected, onClose, onSelect }: Props) {
  const [searching, setSearching] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)

  function endSearch() {
    flushSync(() => setSearching(false))
    opener.current?.focus()
  }

  return (
    <aside
      id={chatSidebarElementId}
      aria-label={en('Messages', 'Mensajes')}
      inert={!open}
      className={cx(
        'min-h-0 flex-none overflow-hidden bg-surface print:hidden transition-[width,visibility] duration-200 ease-calm',
        open ? 'w-full md:w-80' : 'invisible w-0 max-md:hidden',
      )}
    >
      <div className="flex h-full w-screen flex-col border-border md:w-80 md:border-r">
        <div className="flex items-center justify-between pt-[18px] pr-3 pb-2.5 pl-[18px] md:pt-6 md:pb-3.5 md:pl-[22px]">
          <h2 className="heading mr-auto text-2xl leading-[1.875rem]">{en('Messages', 'Mensajes')}</h2>
          {!searching && (
            <IconButton
              ref={opener}
              label={en('Search messages', 'Buscar mensajes')}
              onClick={() => setSearching(true)}
            >
              <TextSearch aria-hidden size={20} strokeWidth={2} />
            </IconButton>
          )}
          <IconButton
            label={en('Close sidebar', 'Cerrar la barra lateral')}
            aria-expanded="true"
            aria-controls={chatSidebarElementId}
            onClick={onClose}
          >
            <PanelLeftClose aria-hidden size={20} strokeWidth={2} />
          </IconButton>
        </div>
        {searching ? (
          <MessageSearch onClose={endSearch} onSelect={onSelect} />
        ) : (
          <>
            <PersonSearch onPicked={onSelect} />
            <MessageRequestsLink />
            <ConversationList selected={selected} onSelect={onSelect} />
          </>
        )}
      </div>
    </aside>
  )
}
