import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { en } from '#contract/language.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { IconButton } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import type { PersonMenuProps } from './person-menu.tsx'

const loadMenu = () => import('./person-menu.tsx')

type Props = Omit<PersonMenuProps, 'button' | 'onClose'> & { className?: string }

/** The menu's code loads when a press becomes likely. */
export function PersonMenuButton({ className, ...about }: Props) {
  const [PersonMenu, setPersonMenu] = useState<ComponentType<PersonMenuProps>>()
  const client = useQueryClient()
  const [opened, setOpened] = useState<HTMLElement>()

  async function prepare() {
    const loaded = await loadMenu()
    await loaded.preloadPersonMenu(client, about.person.$id)
    return loaded.PersonMenu
  }

  async function press(button: HTMLElement) {
    try {
      const loaded = await prepare()
      setPersonMenu(() => loaded)
      setOpened(button)
    } catch {
      toast({
        title: en('Error', 'Error'),
        text: genericErrorMessage,
        kind: 'destructive',
      })
    }
  }

  return (
    <>
      <IconButton
        label={en(`More about ${about.person.name}`, `Más sobre ${about.person.name}`)}
        aria-haspopup="menu"
        aria-expanded={opened !== undefined}
        onPointerEnter={() => void prepare().catch(() => {})}
        onClick={({ currentTarget }) => void press(currentTarget)}
        className={className}
      >
        <Ellipsis aria-hidden size={20} strokeWidth={2.2} />
      </IconButton>
      {PersonMenu && <PersonMenu {...about} button={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}
