import { Effect } from "effect"

/** A zip with one member. */
export const zipped = (name: string, content: Buffer) =>
  Effect.promise(async () => {
    const { deflateRawSync, crc32 } = await import("node:zlib")
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed])
    const central = Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, Buffer.alloc(14), Buffer.from(name)])
    const end = Buffer.alloc(22)
    end.write("PK\x05\x06", "latin1")
    end.writeUInt16LE(1, 8)
    end.writeUInt16LE(1, 10)
    end.writeUInt32LE(central.length, 12)
    end.writeUInt32LE(local.length, 16)
    return Buffer.concat([local, central, end])
  })
