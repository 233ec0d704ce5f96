import { useEffect } from 'react'

const signs = ['pointerover', 'touchstart', 'focusin'] as const

/**
 * Tells where she is about to go: the path of a link of ours that she points at, touches or reaches by keyboard. What is
 * behind it can be on its way before she lets go.
 */
export function useIntent(tell: (pathname: string) => void): void {
  useEffect(() => {
    const look = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link?.origin === location.origin) tell(link.pathname)
    }
    for (const sign of signs) document.addEventListener(sign, look, { passive: true })
    return () => {
      for (const sign of signs) document.removeEventListener(sign, look)
    }
  }, [tell])
}
