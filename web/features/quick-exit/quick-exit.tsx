import { useQueryClient } from '@tanstack/react-query'
import { DoorOpen } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { en } from '#contract/language.ts'
import type { CurrentMember } from '#contract/people/people.ts'
import { leaveAtOnce } from './leave-at-once.ts'
import { onTripleShift } from './triple-shift-shortcut.ts'
import './quick-exit.css'

type Props = NonNullable<CurrentMember['quickExit']> & {
  onLeave: () => void
}

/** A modal dialog blocks clicks outside itself, so the button moves into the newest dialog. */
export function QuickExit({ url, signsOut, onLeave }: Props) {
  const client = useQueryClient()
  const home = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [host] = useState(() => document.createElement('div'))

  const leave = useEffectEvent(() => {
    leaveAtOnce({ url, signsOut })
    onLeave()
    client.clear()
  })
  useEffect(() => onTripleShift(() => leave()), [])

  useEffect(() => {
    const place = (records: MutationRecord[] = []) => {
      const opened = records.map(({ target }) => target).findLast(isOpenDialog)
      const parent = opened ?? [...document.querySelectorAll('dialog[open]')].at(-1) ?? home.current
      if (!parent || (host.isConnected && host.parentElement === parent)) return
      parent.append(host)
      // Moving the button removes it from the top layer.
      button.current?.showPopover?.()
    }
    place()
    const watch = new MutationObserver(place)
    watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] })
    return () => {
      watch.disconnect()
      host.remove()
    }
  }, [host])

  return (
    <div ref={home} className="quick-exit-place">
      {createPortal(
        <button ref={button} type="button" popover="manual" className="quick-exit" onClick={() => leave()}>
          <DoorOpen aria-hidden size={20} strokeWidth={2} />
          {en('Leave', 'Salir')}
        </button>,
        host,
      )}
    </div>
  )
}

const isOpenDialog = (node: Node): node is HTMLDialogElement => node instanceof HTMLDialogElement && node.open
