import { cdp } from 'vitest/browser'
import { onScreen, type Point } from './touch.ts'

const dispatch = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', at: Point, pressed: boolean) =>
  cdp().send('Input.dispatchMouseEvent', {
    type,
    ...onScreen(at),
    button: type === 'mouseMoved' && !pressed ? 'none' : 'left',
    buttons: pressed ? 1 : 0,
    clickCount: type === 'mouseMoved' ? 0 : 1,
  })

export async function dragMouse(from: Point, to: Point, steps = 5): Promise<void> {
  await dispatch('mouseMoved', from, false)
  await dispatch('mousePressed', from, true)
  for (let step = 1; step <= steps; step += 1) {
    const part = step / steps
    await dispatch(
      'mouseMoved',
      { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part },
      true,
    )
  }
  await dispatch('mouseReleased', to, false)
}

/** A negative number scrolls up. */
export async function turnWheel(at: Point, deltaY: number, times = 1): Promise<void> {
  for (let turn = 0; turn < times; turn += 1)
    await cdp().send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...onScreen(at), deltaX: 0, deltaY })
}
