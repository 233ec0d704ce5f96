import { onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'

export type Point = { x: number; y: number }

export async function emulateTouchScreen(): Promise<void> {
  const set = (enabled: boolean) => cdp().send('Emulation.setTouchEmulationEnabled', { enabled })
  await set(true)
  onTestFinished(async () => {
    await set(false)
  })
}

/** Vitest shows the page in a frame, but input devices use the window's coordinates. */
export function onScreen({ x, y }: Point): Point {
  const { left, top } = window.frameElement?.getBoundingClientRect() ?? { left: 0, top: 0 }
  return { x: x + left, y: y + top }
}

const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: Point[]) =>
  cdp().send('Input.dispatchTouchEvent', {
    type,
    touchPoints: points.map((point, id) => ({ ...onScreen(point), id })),
  })

export async function moveFingers(lines: { from: Point; to: Point }[], steps = 12): Promise<void> {
  for (let step = 0; step <= steps; step += 1) {
    const points = lines.map(({ from, to }) => ({
      x: from.x + ((to.x - from.x) * step) / steps,
      y: from.y + ((to.y - from.y) * step) / steps,
    }))
    await touch(step === 0 ? 'touchStart' : 'touchMove', points)
  }
  await touch('touchEnd', [])
}

export function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}

export async function tap(element: Element): Promise<void> {
  await touch('touchStart', [middleOf(element)])
  await touch('touchEnd', [])
}
