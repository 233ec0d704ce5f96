/** Restores the position after Back and after a reload, where the browser fails while a page is loading. */
import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** `href` and `nth` identify the followed link. */
type ScrollPosition = { y: number; href?: string; nth?: number }

const storageKey = 'juntas:places'
const restoreTimeoutMs = 3000

const positions = new Map<string, ScrollPosition>(JSON.parse(sessionStorage.getItem(storageKey) ?? '[]'))
let currentKey = ''
let currentPath = location.pathname
let nextAtTop = false

export function skipNextScrollRestoration(): void {
  nextAtTop = true
}

const positionOf = (key: string): ScrollPosition => positions.get(key) ?? { y: 0 }

function rememberScroll() {
  positions.set(currentKey, { ...positionOf(currentKey), y: scrollY })
}

function rememberLink(event: Event) {
  const link = event.target instanceof Element && event.target.closest('a')
  if (!link) return
  const href = link.getAttribute('href') ?? ''
  positions.set(currentKey, { y: scrollY, href, nth: linksTo(href).indexOf(link) })
}

const linksTo = (href: string) => [...document.querySelectorAll(`a[href="${CSS.escape(href)}"]`)]

/** A page opened by a link starts at the top. */
export function useScrollRestoration(): void {
  const { key: historyKey, pathname } = useLocation()
  // All entries opened by URL have the same key, so this key includes the path.
  const key = historyKey + pathname
  const navigation = useNavigationType()

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const save = () => sessionStorage.setItem(storageKey, JSON.stringify([...positions]))
    addEventListener('scroll', rememberScroll, { passive: true })
    addEventListener('click', rememberLink, { capture: true })
    addEventListener('pagehide', save)
    return () => {
      removeEventListener('scroll', rememberScroll)
      removeEventListener('click', rememberLink, { capture: true })
      removeEventListener('pagehide', save)
    }
  }, [])

  useLayoutEffect(() => {
    const samePage = pathname === currentPath
    currentKey = key
    currentPath = pathname
    const atTop = nextAtTop
    nextAtTop = false
    if (navigation === 'POP' && !atTop) return restore(positionOf(key))
    if (!samePage) scrollTo(0, 0)
  }, [key, navigation, pathname])
}

/** Gives up after a timeout or when the reader scrolls. */
function restore({ y, href, nth = 0 }: ScrollPosition): (() => void) | undefined {
  if (!y && !href) return
  const stop = () => {
    growth.disconnect()
    clearTimeout(timer)
    removeEventListener('wheel', stop)
    removeEventListener('touchmove', stop)
    removeEventListener('keydown', stop)
  }
  const attempt = () => {
    const link = href && linksTo(href)[nth]
    const fits = document.documentElement.scrollHeight - innerHeight >= y
    if (!fits || (href && !link)) return
    stop()
    if (link instanceof HTMLElement) link.focus({ preventScroll: true })
    scrollTo(0, y)
  }
  const growth = new ResizeObserver(attempt)
  const timer = setTimeout(stop, restoreTimeoutMs)
  growth.observe(document.body)
  addEventListener('wheel', stop, { passive: true })
  addEventListener('touchmove', stop, { passive: true })
  addEventListener('keydown', stop)
  return stop
}
