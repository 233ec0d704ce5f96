import { Link } from 'react-router'
import { isPathSegment, screenPaths } from '#web/paths.ts'

export function PlaceLink({ place, className }: { place: string; className?: string }) {
  if (!isPathSegment(place)) return <span className={className}>{place}</span>
  return (
    <Link to={screenPaths.place(place)} className={`hover:underline ${className ?? ''}`}>
      {place}
    </Link>
  )
}
