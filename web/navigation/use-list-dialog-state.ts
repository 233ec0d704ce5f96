import { useLocation, useNavigate } from 'react-router'

type ListName = 'followers' | 'following' | 'likers' | 'members'

export const getListDialogLink = (name: ListName) => ({ search: `?list=${name}` })

/** The open list is in the URL, so Back closes it, or reopens it after a visit to a profile. */
export function useListDialogState() {
  const navigate = useNavigate()
  const { key, search } = useLocation()
  return {
    list: new URLSearchParams(search).get('list'),
    open: (name: ListName) => void navigate(getListDialogLink(name)),
    // The first page in a tab has nothing to go back to.
    close: () => void (key === 'default' ? navigate({ search: '' }, { replace: true }) : navigate(-1)),
  }
}
