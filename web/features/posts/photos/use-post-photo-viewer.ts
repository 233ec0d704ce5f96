import { useLocation, useNavigate } from 'react-router'

/** @param pathname the post's path; by default the current page */
export const getPostPhotoLink = (at: number, pathname?: string) => ({
  pathname,
  search: `?photo=${at + 1}`,
})

export type PhotoNavigationState = { photo: number }

/** The URL contains the photo's number, so Back closes the viewer. */
export function usePostPhotoViewer(count: number) {
  const navigate = useNavigate()
  const { key, search, state } = useLocation()
  const at = Number(new URLSearchParams(search).get('photo')) - 1
  const pressed = (state as Partial<PhotoNavigationState> | null)?.photo ?? 0
  return {
    pressed: pressed < count ? pressed : 0,
    at: Number.isInteger(at) && at >= 0 && at < count ? at : undefined,
    // The first page in a tab has nothing to go back to.
    close: () => void (key === 'default' ? navigate({ search: '' }, { replace: true }) : navigate(-1)),
  }
}
