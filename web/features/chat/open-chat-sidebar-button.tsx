import { Menu, PanelLeftOpen } from 'lucide-react'
import { en } from '#contract/language.ts'
import { IconButton } from '#web/ui/button.tsx'

export function OpenChatSidebarButton({ controls, onClick }: { controls: string; onClick: () => void }) {
  return (
    <IconButton
      label={en('Open sidebar', 'Abrir la barra lateral')}
      aria-expanded="false"
      aria-controls={controls}
      onClick={onClick}
    >
      <Menu aria-hidden size={22} strokeWidth={1.9} className="md:hidden" />
      <PanelLeftOpen aria-hidden size={20} strokeWidth={2} className="max-md:hidden" />
    </IconButton>
  )
}
