import { useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { matchRoutes, useLocation } from 'react-router'
import { screenRoutes } from '#contract/screen-routes.ts'
import { refreshScreen } from '#web/api/refresh-screen.ts'

const routes = Object.values(screenRoutes).map((screen) => ({
  path: screen.path,
  handle: 'reloads' in screen,
}))

export const isPullToRefreshPath = (pathname: string): boolean =>
  matchRoutes(routes, pathname)?.at(-1)?.route.handle ?? false

/** Pixels. The indicator moves half as far as the finger. */
const triggerPx = 72
/** The indicator turns at least this long, so that a fast refresh is visible. */
const minTurnMs = 400

/** Feels like the browser's own pull-to-refresh, which reloads the whole page. */
export function PullToRefresh() {
  const client = useQueryClient()
  const sign = useRef<HTMLDivElement>(null)
  const { pathname } = useLocation()
  const reloads = isPullToRefreshPath(pathname)

  useEffect(() => {
    if (!reloads) return
    let from: number | undefined
    let pulled = 0
    let busy = false

    const place = (distance: number) => {
      pulled = distance
      sign.current?.style.setProperty('--pulled', `${distance}px`)
    }
    const begin = ({ touches, target }: TouchEvent) => {
      const inDialog = target instanceof Element && target.closest('dialog')
      from = touches.length === 1 && scrollY <= 0 && !busy && !inDialog ? touches[0]?.clientY : undefined
    }
    const move = ({ touches }: TouchEvent) => {
      if (from === undefined || scrollY > 0) return
      place(Math.min(Math.max(0, ((touches[0]?.clientY ?? from) - from) / 2), triggerPx * 1.3))
    }
    const end = async () => {
      const refresh = from !== undefined && pulled >= triggerPx
      from = undefined
      if (!refresh) return place(0)
      busy = true
      place(triggerPx)
      sign.current?.toggleAttribute('data-busy', true)
      await Promise.allSettled([refreshScreen(client), new Promise((done) => setTimeout(done, minTurnMs))])
      sign.current?.toggleAttribute('data-busy', false)
      place(0)
      busy = false
    }

    addEventListener('touchstart', begin, { passive: true })
    addEventListener('touchmove', move, { passive: true })
    addEventListener('touchend', end)
    addEventListener('touchcancel', end)
    return () => {
      removeEventListener('touchstart', begin)
      removeEventListener('touchmove', move)
      removeEventListener('touchend', end)
      removeEventListener('touchcancel', end)
    }
  }, [client, reloads])

  if (!reloads) return null
  return (
    <div
      ref={sign}
      aria-hidden="true"
      className="group pull-sign fixed inset-x-0 top-14 z-20 mx-auto grid size-11 place-items-center rounded-full border border-border bg-surface text-brand-text shadow-float md:top-0"
    >
      <RotateCw size={20} strokeWidth={2.1} className="group-data-busy:animate-spin" />
    </div>
  )
}
