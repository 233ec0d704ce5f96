import { useLocation, useNavigate } from 'react-router'

/** The lists that open over the page of what they belong to. */
type ListName = 'followers' | 'following' | 'likers' | 'members'

/** Links to a list of the page one is on. */
export const getListDialogLink = (name: ListName) => ({ search: `?list=${name}` })

/**
 * Opens and closes a list over its page. The address says which one is open, so that Back closes it, and returns to it
 * from a person whom it shows.
 */
export function useListDialogState() {
  const navigate = useNavigate()
  const { key, search } = useLocation()
  return {
    list: new URLSearchParams(search).get('list'),
    open: (name: ListName) => void navigate(getListDialogLink(name)),
    // The first page in this tab has nothing to go back to.
    close: () => void (key === 'default' ? navigate({ search: '' }, { replace: true }) : navigate(-1)),
  }
}
