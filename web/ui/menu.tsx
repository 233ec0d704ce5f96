import type { LucideIcon } from 'lucide-react'
import { Fragment, type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { cx } from './cx.ts'
import { Modal } from './modal.tsx'
import { useMediaQuery } from './use-media-query.ts'

export type MenuItem = {
  label: string
  text?: string
  icon: LucideIcon
  danger?: boolean
  separated?: boolean
  run: () => void
}

type Props = {
  button: HTMLElement | undefined
  label: string
  items: readonly MenuItem[]
  onClose: () => void
  /** On a phone, the menu covers the thing that it acts on. */
  head?: ReactNode
}

/** CSS pixels. The menu's class repeats `width`. */
const width = 340
const gap = 8
const roomBelow = 160

function placeAt(button: DOMRect) {
  const left = Math.max(gap, Math.min(button.right - width, innerWidth - width - gap))
  return innerHeight - button.bottom > roomBelow
    ? { left, top: button.bottom + gap, bottom: 'auto' }
    : { left, top: 'auto', bottom: innerHeight - button.top + gap }
}

const lineClassName = 'mx-2 my-1.5 border-border'

/** The menu is a sheet on a phone. Arrow keys, Home and End move; Escape closes. */
export function Menu({ button, label, items, onClose, head }: Props) {
  const wide = useMediaQuery('(min-width: 48rem)')
  const [place, setPlace] = useState<ReturnType<typeof placeAt>>()
  const titleId = useId()
  const list = useRef<HTMLDivElement>(null)
  const first = useRef<HTMLButtonElement>(null)

  useLayoutEffect(() => {
    if (!button || !wide) return setPlace(undefined)
    const follow = () => setPlace(placeAt(button.getBoundingClientRect()))
    follow()
    addEventListener('resize', follow)
    addEventListener('scroll', follow, { capture: true })
    return () => {
      removeEventListener('resize', follow)
      removeEventListener('scroll', follow, { capture: true })
    }
  }, [button, wide])

  function move(event: KeyboardEvent) {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const here = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    buttons.at(next % buttons.length)?.focus()
  }

  return (
    <Modal
      open={button !== undefined}
      role="dialog"
      labelledBy={titleId}
      firstFocus={first}
      onClose={onClose}
      style={place}
      className="md:m-0! md:w-85! md:backdrop:bg-transparent"
    >
      <div className="p-2">
        <p id={titleId} className="sr-only">
          {label}
        </p>
        {!wide && head && (
          <>
            <div className="flex items-center gap-3 p-3">{head}</div>
            <hr className={lineClassName} />
          </>
        )}
        <div ref={list} role="menu" tabIndex={-1} aria-labelledby={titleId} onKeyDown={move}>
          {items.map(({ label: name, text, icon: Icon, danger, separated, run }, position) => (
            <Fragment key={name}>
              {separated && position > 0 && <hr className={lineClassName} />}
              <button
                ref={position === 0 ? first : undefined}
                type="button"
                role="menuitem"
                tabIndex={-1}
                onClick={() => {
                  onClose()
                  run()
                }}
                className={cx(
                  'flex min-h-12 w-full items-start gap-3.5 rounded-input px-3 py-2.5 text-left hover:bg-sunken',
                  danger && 'text-danger',
                )}
              >
                <Icon
                  aria-hidden
                  size={20}
                  strokeWidth={1.9}
                  className={cx('mt-0.5 flex-none', !danger && 'text-text-2')}
                />
                <span>
                  <span className="block text-body font-[640]">{name}</span>
                  {text && <span className="block text-meta text-text-2">{text}</span>}
                </span>
              </button>
            </Fragment>
          ))}
        </div>
      </div>
    </Modal>
  )
}
