"""Normalizes an archive of recorded sessions with agentnorm on a Spark cluster.

    spark-submit scale/spark.py [--agentnorm PROGRAM] [--parts N] [--read paths|contents] OUT FILE…

One element of the RDD is one file, so that a session's lines stay together. With `--read paths` the workers
open the files themselves (a file system that all of them see); with `--read contents` Spark reads them
(any storage that it knows) and hands them over as temporary files; a FILE may then be a folder, which is
far quicker than many names, and the order is that of the names. The events are the same bytes as
`agentnorm normalize FILE…` prints.
"""

import argparse
import itertools
import os
import shlex
import subprocess
import tempfile

from pyspark.sql import SparkSession


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--agentnorm", default="agentnorm", help="the program on the workers, with options")
    parser.add_argument("--parts", type=int, default=None, help="how many pieces of work")
    parser.add_argument("--read", choices=["paths", "contents"], default="paths")
    parser.add_argument("out", help="a folder that does not exist yet")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()

    session = SparkSession.builder.appName("agentnorm").getOrCreate()
    spark = session.sparkContext
    parts = args.parts or spark.defaultParallelism * 4
    paths = spark.parallelize(args.files, parts)
    if args.read == "paths":
        # xargs turns lines into arguments; each argument is a stream of its own.
        events = paths.pipe(f"xargs -r -d '\\n' {args.agentnorm} normalize", checkCode=True)
    else:
        program = shlex.split(args.agentnorm)
        files = session.read.format("binaryFile").load(args.files).select("path", "content")
        streams = files.rdd.map(tuple).sortByKey(numPartitions=parts).values()
        events = streams.mapPartitions(lambda some: normalize(program, some))
    events.saveAsTextFile(args.out)
    spark.stop()


def normalize(program, streams):
    """The events of the streams, a hundred streams a process."""
    streams = iter(streams)
    while batch := list(itertools.islice(streams, 100)):
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, str(at)) for at in range(len(batch))]
            for name, stream in zip(names, batch):
                with open(name, "wb") as file:
                    file.write(stream)
            done = subprocess.run([*program, "normalize", *names], stdout=subprocess.PIPE, check=True)
        # Each line ends with a line feed, and no other byte ends one.
        yield from done.stdout.decode().split("\n")[:-1]


if __name__ == "__main__":
    main()
