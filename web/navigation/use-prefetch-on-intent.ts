import { useEffect } from 'react'

const intentEvents = ['pointerover', 'touchstart', 'focusin'] as const

/**
 * Calls `onIntent` with the path that an in-app link, or a form with `data-leads-to`, leads to when it is pointed at, touched
 * or focused, so that the screen can load before the click.
 */
export function usePrefetchOnIntent(onIntent: (pathname: string) => void): void {
  useEffect(() => {
    const reportLink = ({ target }: Event) => {
      if (!(target instanceof Element)) return
      const link = target.closest('a')
      const form = target.closest<HTMLElement>('form[data-leads-to]')
      if (link?.origin === location.origin) onIntent(link.pathname)
      else if (form?.dataset.leadsTo) onIntent(form.dataset.leadsTo)
    }
    for (const sign of intentEvents) document.addEventListener(sign, reportLink, { passive: true })
    return () => {
      for (const sign of intentEvents) document.removeEventListener(sign, reportLink)
    }
  }, [onIntent])
}
