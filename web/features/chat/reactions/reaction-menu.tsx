import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { type ReactionEmoji, reactionEmojis } from '#contract/chat/messages.ts'
import { en } from '#contract/language.ts'
import { cx } from '#web/ui/cx.ts'
import { Modal } from '#web/ui/modal.tsx'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import { reactionNames } from './reaction-names.ts'

type Props = {
  beside: HTMLElement | undefined
  own: ReactionEmoji | null
  onChoose: (emoji: ReactionEmoji) => void
  onClose: () => void
}

/** CSS pixels. The menu's class repeats `width`, and `margin` is the distance to the window's edges. */
const width = 328
const height = 64
const gap = 8

function placeOver(element: DOMRect) {
  const middle = (element.left + element.right) / 2
  return {
    left: Math.max(gap, Math.min(middle - width / 2, innerWidth - width - gap)),
    top: element.top > height + 2 * gap ? element.top - height - gap : element.bottom + gap,
  }
}

/** The menu is a sheet on a phone. Arrow keys, Home and End move; Escape closes. */
export function ReactionMenu({ beside, own, onChoose, onClose }: Props) {
  const wide = useMediaQuery('(min-width: 48rem)')
  const [place, setPlace] = useState<ReturnType<typeof placeOver>>()
  const titleId = useId()
  const list = useRef<HTMLDivElement>(null)
  const first = useRef<HTMLButtonElement>(null)

  useLayoutEffect(() => {
    if (!beside || !wide) return setPlace(undefined)
    const follow = () => setPlace(placeOver(beside.getBoundingClientRect()))
    follow()
    addEventListener('resize', follow)
    return () => removeEventListener('resize', follow)
  }, [beside, wide])

  function move(event: KeyboardEvent) {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const here = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const next = {
      ArrowRight: here + 1,
      ArrowDown: here + 1,
      ArrowLeft: here - 1,
      ArrowUp: here - 1,
      Home: 0,
      End: -1,
    }[event.key]
    if (next === undefined) return
    event.preventDefault()
    buttons.at(next % buttons.length)?.focus()
  }

  return (
    <Modal
      open={beside !== undefined}
      role="dialog"
      labelledBy={titleId}
      firstFocus={first}
      onClose={onClose}
      style={place}
      className="md:m-0! md:w-82! md:rounded-full! md:backdrop:bg-transparent"
    >
      <div className="p-2">
        <p id={titleId} className="sr-only">
          {en('Reactions', 'Reacciones')}
        </p>
        <div
          ref={list}
          role="menu"
          tabIndex={-1}
          aria-orientation="horizontal"
          aria-labelledby={titleId}
          onKeyDown={move}
          className="flex justify-between max-md:px-1 max-md:py-2"
        >
          {reactionEmojis.map((emoji) => (
            <button
              key={emoji}
              ref={emoji === (own ?? reactionEmojis[0]) ? first : undefined}
              type="button"
              role="menuitemradio"
              aria-checked={emoji === own}
              aria-label={reactionNames[emoji]}
              title={reactionNames[emoji]}
              tabIndex={-1}
              onClick={() => {
                onClose()
                onChoose(emoji)
              }}
              className={cx(
                'grid size-12 place-items-center rounded-full text-[1.625rem] leading-none hover:bg-sunken',
                emoji === own && 'bg-brand-soft outline-2 -outline-offset-2 outline-brand',
              )}
            >
              <span aria-hidden>{emoji}</span>
            </button>
          ))}
        </div>
      </div>
    </Modal>
  )
}
