import { ArrowLeft, PanelLeftOpen } from 'lucide-react'
import { en } from '#contract/language.ts'
import { IconButton } from '#web/ui/button.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'

/** On a phone, the list covers the conversation, so the button leads back to the list. */
export function OpenChatSidebarButton({ controls, onClick }: { controls: string; onClick: () => void }) {
  const isWide = useMediaQuery('(min-width: 48rem)')
  return (
    <IconButton
      label={
        isWide
          ? en('Open sidebar', 'Abrir la barra lateral')
          : en('All conversations', 'Todas las conversaciones')
      }
      aria-expanded="false"
      aria-controls={controls}
      onClick={onClick}
    >
      {isWide ? (
        <PanelLeftOpen aria-hidden size={20} strokeWidth={2} />
      ) : (
        <ArrowLeft aria-hidden size={22} strokeWidth={1.9} />
      )}
    </IconButton>
  )
}
