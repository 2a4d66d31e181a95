// Learns from the database which rooms have messages, no matter which gateway wrote them.
import { SQL } from 'bun'
import { roomChannel } from './seats.ts'
import { driverAddress } from '#database/roles.ts'

type RoomListener = {
  onRoom(key: string): void
  /** Runs after each connection, because earlier notifications are lost. */
  onListen(): void
}

/** Listens for rooms with messages once the first page has connected. */
export function listenForRooms(url: string, { onRoom, onListen }: RoomListener) {
  let opened: Promise<SQL> | undefined
  const open = async () => {
    const connection = { application_name: 'video rooms listener' }
    const listener = new SQL({ ...driverAddress(url), max: 1, connection })
    await listener.listen(roomChannel, onRoom, onListen)
    return listener
  }
  return {
    start(): Promise<SQL> {
      opened ??= open()
      opened.catch(() => (opened = undefined))
      return opened
    },
    async close() {
      const [ended] = await Promise.allSettled([opened])
      if (ended.status === 'fulfilled') await ended.value?.close({ timeout: 1 })
    },
  }
}
