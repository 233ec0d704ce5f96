import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

type SingleFlightMutation<Answer, Input> = Omit<UseMutationResult<Answer, Error, Input>, 'mutateAsync'>

/**
 * Ignores repeated calls while the mutation runs: the button is disabled only after the next render, and a second
 * Enter can come earlier.
 */
export function useSingleFlightMutation<Answer, Input = void>(
  options: UseMutationOptions<Answer, Error, Input>,
): SingleFlightMutation<Answer, Input> {
  const { mutateAsync, ...mutation } = useMutation(options)
  const underWay = useRef(new Set<Input>())

  const mutate: typeof mutation.mutate = (...asked) => {
    const [input] = asked as [Input]
    if (underWay.current.has(input)) return
    underWay.current.add(input)
    mutateAsync(...asked)
      .catch(() => {})
      .finally(() => underWay.current.delete(input))
  }
  return { ...mutation, mutate }
}
