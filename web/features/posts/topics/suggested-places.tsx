import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import { useDebounced } from '#web/ui/use-debounced.ts'
import { getPlaceLookupPrefix, matchPlaces } from './match-places.ts'
import { suggestedPlacesQuery } from './queries.ts'

type Props = {
  typed: string
  onChoose: (place: string) => void
}

const restMs = 300

export function SuggestedPlaces({ typed, onChoose }: Props) {
  const letters = useDebounced(getPlaceLookupPrefix(typed), restMs)
  const query = useQuery({
    ...suggestedPlacesQuery(letters ?? ''),
    enabled: letters !== null,
    // Otherwise the list would disappear under a finger when the response for the same letters is requested again.
    placeholderData: keepPreviousData,
  })
  const places = letters === null ? [] : matchPlaces(typed, query.data?.places ?? [])
  if (places.length === 0 || getPlaceLookupPrefix(typed) === null) return null
  return (
    <ul aria-label={en('Suggested places', 'Lugares sugeridos')} className="mt-2 flex flex-wrap gap-2">
      {places.map((place) => (
        <li key={place} className="min-w-0">
          <button
            type="button"
            onClick={() => onChoose(place)}
            className="hit-44 flex min-h-9 items-center rounded-full bg-sunken px-3.5 text-left text-label font-semibold text-text-2 [overflow-wrap:anywhere] hover:text-text"
          >
            {place}
          </button>
        </li>
      ))}
    </ul>
  )
}
