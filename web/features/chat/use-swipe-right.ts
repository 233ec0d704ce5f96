import { type TouchEvent, useRef } from 'react'

/** CSS pixels: the length of a swipe that counts, and how far the element follows. */
const distance = 56
const farthest = 72

export function useSwipeRight(act: (() => void) | undefined) {
  const begun = useRef<{ x: number; y: number }>(undefined)
  const went = useRef(0)

  function move(element: HTMLElement, to: number) {
    went.current = to
    element.style.translate = to > 0 ? `${to}px` : ''
  }

  function end({ currentTarget }: TouchEvent<HTMLElement>, acts: boolean) {
    const far = went.current >= distance
    begun.current = undefined
    move(currentTarget, 0)
    if (acts && far) act?.()
  }

  if (!act) return {}
  return {
    onTouchStart({ touches }: TouchEvent<HTMLElement>) {
      const touch = touches.item(0)
      begun.current = touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : undefined
    },
    onTouchMove({ currentTarget, touches }: TouchEvent<HTMLElement>) {
      const touch = touches.item(0)
      if (!begun.current) return
      const right = touch.clientX - begun.current.x
      if (went.current === 0 && Math.abs(touch.clientY - begun.current.y) > Math.abs(right)) {
        begun.current = undefined
        return
      }
      move(currentTarget, Math.max(0, Math.min(right, farthest)))
    },
    onTouchEnd: (event: TouchEvent<HTMLElement>) => end(event, true),
    onTouchCancel: (event: TouchEvent<HTMLElement>) => end(event, false),
  }
}
