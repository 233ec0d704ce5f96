import { useQueryClient } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { useLocation } from 'react-router'
import { refreshScreen } from '#web/api/refresh-screen.ts'
import { scrollToTop } from '#web/ui/scroll-to-top.ts'

/** Makes a link to the current page scroll to its top and reload its lists. */
export function useSamePageLinkRefresh(to: string) {
  const client = useQueryClient()
  const { pathname } = useLocation()
  return (event: MouseEvent) => {
    if (pathname !== to || event.ctrlKey || event.metaKey || event.shiftKey) return
    scrollToTop()
    void refreshScreen(client)
  }
}
