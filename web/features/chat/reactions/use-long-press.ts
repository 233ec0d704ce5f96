import { type MouseEvent, type TouchEvent, useRef } from 'react'

const restMs = 500
const slack = 10

/** Ignores presses on links and buttons inside the element. */
export function useLongPress(act: ((element: HTMLElement) => void) | undefined) {
  const begun = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> }>(undefined)

  function end() {
    clearTimeout(begun.current?.timer)
    begun.current = undefined
  }

  if (!act) return {}
  return {
    onTouchStart({ currentTarget, target, touches }: TouchEvent<HTMLElement>) {
      end()
      const touch = touches.item(0)
      if (touches.length !== 1 || isItsOwn(target)) return
      const timer = setTimeout(() => {
        end()
        act(currentTarget)
      }, restMs)
      begun.current = { x: touch.clientX, y: touch.clientY, timer }
    },
    onTouchMove({ touches }: TouchEvent<HTMLElement>) {
      const touch = touches.item(0)
      const from = begun.current
      if (from && Math.hypot(touch.clientX - from.x, touch.clientY - from.y) > slack) end()
    },
    onTouchEnd: end,
    onTouchCancel: end,
    onContextMenu(event: MouseEvent<HTMLElement>) {
      const { pointerType } = event.nativeEvent as PointerEvent
      if (pointerType === 'touch' && !isItsOwn(event.target)) event.preventDefault()
    },
  }
}

const isItsOwn = (target: EventTarget) => target instanceof Element && target.closest('a, button') !== null
