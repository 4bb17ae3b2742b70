"""Connections in /proc and their owners."""

import os
import socket
import unittest

from harness import proc


class ConnectionsTest(unittest.TestCase):
    def test_connections_to_a_port_are_those_of_the_process_until_it_closes_them(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
            accepted = [listener.accept()[0] for _ in clients]
            self.assertEqual(proc.connections_to([os.getpid()], port), 3)
            self.assertEqual(proc.connections_to([os.getppid()], port), 0)
            self.assertEqual(proc.accepted_connections(port), 3)
            clients[0].close()
            self.assertEqual(proc.connections_to([os.getpid()], port), 2)
            for one in (*clients, *accepted):
                one.close()


if __name__ == "__main__":
    unittest.main()
