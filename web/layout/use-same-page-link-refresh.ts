import { useQueryClient } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { useLocation } from 'react-router'
import { refreshScreen } from '#web/api/refresh-screen.ts'
import { scrollToTop } from '#web/ui/scroll-to-top.ts'

/** A link to the current page scrolls to the top and reloads the lists. */
export function useSamePageLinkRefresh(to: string) {
  const client = useQueryClient()
  const { pathname } = useLocation()
  return (event: MouseEvent) => {
    if (pathname !== to || event.ctrlKey || event.metaKey || event.shiftKey) return
    scrollToTop()
    void refreshScreen(client)
  }
}
