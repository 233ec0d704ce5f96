/** Changes of the account: password, e-mail address, devices. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  cancelEmailChangeEndpoint,
  changePasswordEndpoint,
  endDeviceEndpoint,
  endOtherDevicesEndpoint,
  renewRecoveryCodesEndpoint,
  requestEmailChangeEndpoint,
  requestEmailConfirmationEndpoint,
  turnOffTwoStepsEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { ProofCancelled } from './use-fresh-proof.tsx'

export type WithProof = <T>(call: () => Promise<T>) => Promise<T>

/** Says that something failed, unless the member gave it up. */
export function toastFailure(error: unknown) {
  if (error instanceof ProofCancelled) return
  const isTooMany = error instanceof ApiError && error.code === 429
  const text = isTooMany
    ? en('You asked for many. Try again in an hour.', 'Has pedido muchos. Prueba dentro de una hora.')
    : genericErrorMessage
  toast({ title: en('Error', 'Error'), text, kind: 'destructive' })
}

/** Loads the settings anew after a change. */
export function useSettingsRefresh() {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: settingsQueryKeys.all })
}

export function useChangePassword(withProof: WithProof, onDone: () => void) {
  const refresh = useSettingsRefresh()
  return useMutation({
    mutationFn: (given: { currentPassword?: string; password: string }) =>
      withProof(() => callApiOperation(changePasswordEndpoint, given)),
    onSuccess: () => {
      toast({
        text: en(
          'Your password is changed. Other devices are signed out.',
          'Tu contraseña está cambiada. Los demás dispositivos tienen que volver a entrar.',
        ),
      })
      onDone()
      return refresh()
    },
  })
}

export function useRequestEmailChange(withProof: WithProof, onDone: () => void) {
  const client = useQueryClient()
  const refresh = useSettingsRefresh()
  return useMutation({
    mutationFn: (given: { email: string; password?: string }) =>
      withProof(() => callApiOperation(requestEmailChangeEndpoint, given)),
    onSuccess: ({ email, pendingEmail }) => {
      client.setQueryData(signedInMemberQuery.queryKey, (me) => me && { ...me, email })
      if (pendingEmail === null)
        toast({ text: en(`Your e-mail is now ${email}`, `Tu correo es ahora ${email}`) })
      onDone()
      return refresh()
    },
  })
}

/** Sends the letter to the new address once more. */
export function useResendEmailChange(withProof: WithProof) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: (email: string) => withProof(() => callApiOperation(requestEmailChangeEndpoint, { email })),
    onSuccess: (_answer, email) => {
      toast({ text: en(`We sent a link to ${email}.`, `Enviamos un enlace a ${email}.`) })
      return refresh()
    },
    onError: toastFailure,
  })
}

export function useCancelEmailChange() {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(cancelEmailChangeEndpoint, {}),
    onSuccess: refresh,
    onError: toastFailure,
  })
}

export function useRequestEmailConfirmation() {
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(requestEmailConfirmationEndpoint, {}),
    onError: toastFailure,
  })
}

export function useEndDevice() {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: (deviceId: string) => callApiOperation(endDeviceEndpoint, { deviceId }),
    onSuccess: refresh,
    onError: toastFailure,
  })
}

export function useEndOtherDevices(withProof: WithProof) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: () => withProof(() => callApiOperation(endOtherDevicesEndpoint, {})),
    onSuccess: () => {
      toast({ text: en('Signed out everywhere else.', 'Sesión cerrada en los demás.') })
      return refresh()
    },
    onError: toastFailure,
  })
}

export function useTurnOffTwoSteps(withProof: WithProof) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: () => withProof(() => callApiOperation(turnOffTwoStepsEndpoint, {})),
    onSuccess: () => {
      toast({ text: en('Two steps are off.', 'La verificación en dos pasos está apagada.') })
      return refresh()
    },
    onError: toastFailure,
  })
}

export function useRenewRecoveryCodes(withProof: WithProof) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: () => withProof(() => callApiOperation(renewRecoveryCodesEndpoint, {})),
    onSuccess: refresh,
    onError: toastFailure,
  })
}
