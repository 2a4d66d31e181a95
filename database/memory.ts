/**
 * What was worked out before, for who asks again: a Map that keeps no more than `most`, and forgets
 * the oldest for the newest.
 */
export class Memory<Key, Value> extends Map<Key, Value> {
  /** In the order of their coming, around. To ask the map for its oldest costs the more the more
   *  have gone: ten microseconds among ten thousand. */
  private readonly keysInOrder: Key[] = []
  private next = 0

  constructor(private readonly most: number) {
    super()
  }

  override set(key: Key, value: Value): this {
    if (this.has(key)) return super.set(key, value)
    if (this.keysInOrder.length === this.most) this.delete(this.keysInOrder[this.next] as Key)
    this.keysInOrder[this.next] = key
    this.next = (this.next + 1) % this.most
    return super.set(key, value)
  }
}
