import { useLocation, useNavigate } from 'react-router'

/** Lists that open over their page. */
type ListName = 'followers' | 'following' | 'likers' | 'members'

export const getListDialogLink = (name: ListName) => ({ search: `?list=${name}` })

/**
 * Opens and closes a list over its page. The URL holds the open list, so Back closes it, and returns to it
 * from a profile.
 */
export function useListDialogState() {
  const navigate = useNavigate()
  const { key, search } = useLocation()
  return {
    list: new URLSearchParams(search).get('list'),
    open: (name: ListName) => void navigate(getListDialogLink(name)),
    // The tab's first page has nothing to go back to.
    close: () => void (key === 'default' ? navigate({ search: '' }, { replace: true }) : navigate(-1)),
  }
}
