import { useLocation, useNavigate } from 'react-router'

/** The lists that open in a dialog over a page. */
type ListName = 'followers' | 'following' | 'likers' | 'members'

export const getListDialogLink = (name: ListName) => ({ search: `?list=${name}` })

/**
 * Opens and closes a list over its page. The URL contains the open list, so that Back closes the list, or reopens it
 * after a visit to a profile.
 */
export function useListDialogState() {
  const navigate = useNavigate()
  const { key, search } = useLocation()
  return {
    list: new URLSearchParams(search).get('list'),
    open: (name: ListName) => void navigate(getListDialogLink(name)),
    // If this page is the first in its tab, there is no page to go back to.
    close: () => void (key === 'default' ? navigate({ search: '' }, { replace: true }) : navigate(-1)),
  }
}
