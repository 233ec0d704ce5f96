import { useEffect, useLayoutEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Where a history entry was left: how far down, and by which of the links to `href`. */
type Place = { y: number; href?: string; nth?: number }

const shelf = 'juntas:places'
const patience = 3000

const places = new Map<string, Place>(JSON.parse(sessionStorage.getItem(shelf) ?? '[]'))
let here = 'default'
let page = location.pathname

const placeOf = (key: string): Place => places.get(key) ?? { y: 0 }

function rememberScroll() {
  places.set(here, { ...placeOf(here), y: scrollY })
}

function rememberLink(event: Event) {
  const link = event.target instanceof Element && event.target.closest('a')
  if (!link) return
  const href = link.getAttribute('href') ?? ''
  places.set(here, { y: scrollY, href, nth: linksTo(href).indexOf(link) })
}

const linksTo = (href: string) => [...document.querySelectorAll(`a[href="${CSS.escape(href)}"]`)]

/** A step forward starts at the top; Back, and a reload, return to the place and to the link that was left. */
export function useScrollMemory(): void {
  const { key, pathname } = useLocation()
  const navigation = useNavigationType()

  useEffect(() => {
    history.scrollRestoration = 'manual'
    const save = () => sessionStorage.setItem(shelf, JSON.stringify([...places]))
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
    const samePage = pathname === page
    here = key
    page = pathname
    if (navigation === 'POP') return returnTo(placeOf(key))
    if (!samePage) scrollTo(0, 0)
  }, [key, navigation, pathname])
}

/** The page may still be growing to its length: tries as it does, until it fits, or she scrolls herself, or too long. */
function returnTo({ y, href, nth = 0 }: Place): (() => void) | undefined {
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
  const timer = setTimeout(stop, patience)
  growth.observe(document.body)
  addEventListener('wheel', stop, { passive: true })
  addEventListener('touchmove', stop, { passive: true })
  addEventListener('keydown', stop)
  return stop
}
