import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'

type Act<Answer, Input> = Omit<UseMutationResult<Answer, Error, Input>, 'mutateAsync'>

/**
 * A mutation behind a button: the same thing asked for again before the answer is one act. The button learns that it is busy
 * with the next render; a second Enter can come before.
 */
export function useAct<Answer, Input = void>(
  options: UseMutationOptions<Answer, Error, Input>,
): Act<Answer, Input> {
  const { mutateAsync, ...mutation } = useMutation(options)
  const underWay = useRef(new Set<Input>())

  const mutate: typeof mutation.mutate = (...asked) => {
    const [input] = asked as [Input]
    if (underWay.current.has(input)) return
    underWay.current.add(input)
    mutateAsync(...asked)
      // What failed has been told by `onError`.
      .catch(() => {})
      .finally(() => underWay.current.delete(input))
  }
  return { ...mutation, mutate }
}
